needs shellcheck
version "shellcheck $(shellcheck --version | sed -n 's/^version: //p')"

printf '#!/bin/sh\necho "ok"\n' >good.sh
printf '#!/bin/sh\necho $1\nrm -rf "$dir"/*\n' >bad.sh
printf '#!/bin/sh\nif true; then echo "x"\n' >syntax.sh
printf 'echo hello $x\n' >nobang.sh
printf '#!/bin/fish\necho x\n' >fish.sh
printf '#!/bin/sh\ncat "Permission denied" | grep $1\n' >'permission denied.sh'
record shellcheck good.sh
record shellcheck bad.sh
record shellcheck 'permission denied.sh'
record shellcheck good.sh bad.sh
record shellcheck syntax.sh
record shellcheck bad.sh syntax.sh
record shellcheck -f gcc syntax.sh
record shellcheck -f json syntax.sh
record shellcheck nobang.sh
record shellcheck fish.sh
record shellcheck nosuch.sh
record shellcheck good.sh nosuch.sh
record shellcheck bad.sh nosuch.sh
record shellcheck
record shellcheck --nosuchflag good.sh
record shellcheck -f nosuch good.sh
record shellcheck -f json bad.sh
record shellcheck -f json1 good.sh
record shellcheck -f gcc bad.sh
record shellcheck -f diff bad.sh
record shellcheck -s nosuch good.sh
record shellcheck -S nosuch good.sh
record shellcheck -S error bad.sh
record shellcheck -e abc good.sh
record shellcheck -o nosuch-check good.sh
mkdir folder && record shellcheck folder
record shellcheck --version
mkdir rc && cd rc && cp ../good.sh . && printf 'disable=(\n' >.shellcheckrc
record shellcheck -x good.sh
cd ..
printf '\xff\xfe\x00echo' >binary.sh
record shellcheck binary.sh
cp good.sh locked.sh && chmod 000 locked.sh
as_nobody shellcheck locked.sh

needs mypy
version "mypy $(mypy --version | sed 's/mypy \([0-9.]*\).*/\1/')"
fixed "$(dirname "$(dirname "$(command -v mypy)")")" /opt/venv

printf 'x: int = 1\n' >good.py
printf 'x: int = "a"\n' >bad.py
printf 'def f(:\n    pass\n' >syntax.py
printf 'import nosuchmodule_xyz\nimport yaml\nimport requests\n' >imports.py
printf 'x: int = open("Permission denied: not found.txt")\n' >words.py
record mypy good.py
record mypy bad.py
record mypy words.py
record mypy good.py bad.py
record mypy imports.py
record mypy syntax.py
record mypy bad.py syntax.py
record mypy nosuch.py
record mypy nosuchdir/
record mypy -p nosuchpackage
record mypy -m nosuchmodule
record mypy -c 'x: int = "a"'
record mypy --nosuchflag good.py
record mypy
record mypy --python-version 9.9 good.py
record mypy --python-version abc good.py
record mypy --config-file nosuch.ini good.py
record mypy --enable-error-code nosuch good.py
record mypy --platform nosuch good.py
record mypy --output json bad.py
record mypy --output json good.py
record mypy --no-error-summary bad.py
record mypy --install-types good.py
record mypy --install-types --non-interactive good.py
record mypy --python-executable /nonexistent good.py
record mypy --cache-dir=/proc/nosuch good.py
record mypy --strict --show-error-codes bad.py
record mypy --html-report out bad.py
record mypy --version
mkdir empty && record mypy empty
mkdir -p dup/a dup/b && echo 'x = 1' | tee dup/a/mod.py dup/b/mod.py >/dev/null
record mypy dup
mkdir -p bad-name && echo 'x = 1' >bad-name/__init__.py
record mypy bad-name
mkdir conf && cd conf && cp ../good.py .
printf '[mypy\nstrict = True\n' >mypy.ini
record mypy --pretty good.py
printf '[mypy]\nnosuchoption = True\n' >mypy.ini
record mypy --no-pretty good.py
printf '[mypy]\nplugins = nosuch_plugin\n' >mypy.ini
record mypy -v good.py
printf '[mypy]\nstrict_optional = maybe\n' >mypy.ini
record mypy --no-color-output good.py
printf '[mypy]\npython_version = 2.7\n' >mypy.ini
record mypy --show-column-numbers good.py
cd ..
printf '\xff\xfe\x00' >binary.py
record mypy binary.py
printf 'import sys\nreveal_type(sys.path)\n' >note.py
record mypy note.py
cp good.py locked.py && chmod 000 locked.py
as_nobody mypy --cache-dir=/dev/null locked.py
rm locked.py
printf '#!/bin/sh\nexec %s -S "$@"\n' "$(dirname "$(command -v mypy)")/python" >python3 && chmod +x python3
record ./python3 -m mypy good.py

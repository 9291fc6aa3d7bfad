needs scp ssh-keygen pgrep setpriv
use ssh_server
version "OpenSSH $(ssh -V 2>&1 | sed 's/OpenSSH_\([0-9.p]*\).*/\1/')"
ssh_server
echo data >a.txt; echo more >b.txt; mkdir -p dir/sub there; echo x >dir/x.txt; head -c 300000 /dev/zero >big.bin
at="$PWD/there"
record scp -F cfg a.txt "srv:$at/"
record scp -F cfg "srv:$at/a.txt" back.txt
record scp -F cfg "srv:$at/absent.txt" .
record scp -F cfg absent.txt "srv:$at/"
record scp -F cfg absent.txt missing.txt "srv:$at/"
record scp -F cfg a.txt "srv:$at/no/such/place/"
record scp -F cfg dir "srv:$at/"
record scp -F cfg "srv:$PWD/dir" .
record scp -F cfg -r dir "srv:$at/"
record scp -F cfg a.txt b.txt "srv:$at/a.txt"
record scp -F cfg a.txt srv:/proc/x
record scp -F cfg a.txt "nokey:$at/"
record scp -F cfg a.txt "stranger:$at/"
record scp -F cfg a.txt "changed:$at/"
record scp -F cfg a.txt "closed:$at/"
record scp -F cfg a.txt "nosftp:$at/"
record scp -F cfg -O a.txt "nosftp:$at/legacy.txt"
record scp -F cfg -O absent.txt "srv:$at/"
record scp -F cfg -O "srv:$at/absent.txt" .
record scp -F cfg -O a.txt "srv:$at/no/such/"
record scp -F cfg a.txt "silent:$at/"
record scp -F cfg a.txt "hangup:$at/"
record scp -F cfg a.txt host.example.invalid:
record scp -F nowhere a.txt srv:
record scp -Z a.txt srv:
record scp
record scp a.txt
record scp -P abc -F cfg a.txt srv:
record scp -F cfg -i nowhere "srv:$at/a.txt" again.txt
mkdir small
mount -t tmpfs -o size=64k tmpfs small 2>/dev/null && {
  record scp -F cfg big.bin "srv:$PWD/small/"
  record scp -F cfg "srv:$PWD/big.bin" small/
  record scp -F cfg -O big.bin "srv:$PWD/small/"
  umount small
}
mkdir ro && mount --bind ro ro 2>/dev/null && mount -o remount,ro,bind ro && {
  record scp -F cfg a.txt "srv:$PWD/ro/"
  umount ro
}
mkdir -m 755 mine && cp a.txt mine/ && chmod 600 mine/a.txt
as_nobody scp mine/a.txt theirs.txt
record scp -F cfg -S nosuchssh a.txt "srv:$at/"
cp key open-key && chmod 644 open-key
{ host openkey "$port" open-key known; host gone "$port" nokeyfile known; host noisy "$port" key known; sed -n '/^Host \*/,$p' cfg; } >cfg2
chmod 600 cfg2
record scp -F cfg2 a.txt "openkey:$at/"
record scp -F cfg2 -i nowhere a.txt "gone:$at/"
record scp -F cfg -c 3des-cbc a.txt "srv:$at/"
printf '#!/bin/sh\necho Welcome to this server\nexec sleep 1\n' >noisy && chmod +x noisy
record scp -F cfg -S "$PWD/noisy" a.txt "srv:$at/"
# The session ends in the middle of a slow transfer
(sleep 2; kill $(pgrep -P "$daemon")) &
record scp -F cfg -l 100 big.bin "srv:$at/slow.bin"

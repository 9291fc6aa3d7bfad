needs sftp ssh-keygen pgrep
use ssh_server
version "OpenSSH $(ssh -V 2>&1 | sed 's/OpenSSH_\([0-9.p]*\).*/\1/')"
ssh_server
echo data >a.txt; echo more >b.txt; mkdir -p dir/sub there; echo x >dir/x.txt; head -c 300000 /dev/zero >big.bin
at="$PWD/there"
fixed "$(printf '%s' "$PWD")" /tmp/world
# A batch ends at the first command that fails; commands from standard input go on, and the end is 0
printf "put a.txt %s/\n" "$at" >good && record sftp -F cfg -b good "srv:$at"
printf 'get %s/absent.txt\n' "$at" >get-absent && record sftp -F cfg -b get-absent srv
printf 'put absent.txt\n' >put-absent && record sftp -F cfg -b put-absent "srv:$at"
printf 'put a.txt\nget nowhere.txt\nput b.txt\n' >half && record sftp -F cfg -b half "srv:$at"
printf 'cd nowhere\n' >cd-absent && record sftp -F cfg -b cd-absent "srv:$at"
printf 'ls nowhere\n' >ls-absent && record sftp -F cfg -b ls-absent "srv:$at"
printf 'rm nowhere\n' >rm-absent && record sftp -F cfg -b rm-absent "srv:$at"
printf 'mkdir %s\n' "$at" >mkdir-twice && record sftp -F cfg -b mkdir-twice srv
printf 'mkdir /proc/x\n' >mkdir-proc && record sftp -F cfg -b mkdir-proc srv
printf 'frobnicate\n' >unknown && record sftp -F cfg -b unknown srv
printf 'put dir\n' >put-dir && record sftp -F cfg -b put-dir "srv:$at"
printf 'rmdir %s\n' "$PWD/dir" >rmdir-full && record sftp -F cfg -b rmdir-full srv
printf 'get\n' >get-nothing && record sftp -F cfg -b get-nothing srv
printf 'lcd nowhere\n' >lcd && record sftp -F cfg -b lcd srv
record sftp -F cfg -b nowhere.batch srv
printf 'get absent.txt\n' | record --stdin sftp -F cfg "srv:$at"
printf 'put b.txt\nget absent.txt\n' | record --stdin sftp -F cfg "srv:$at/"
printf 'ls\n' | record --stdin sftp -F cfg "srv:$at/."
printf 'ls -1\n' >ls && record sftp -q -F cfg -b ls "srv:$at"
record sftp -F cfg "srv:$at/absent.txt" .
record sftp -F cfg "srv:$at/a.txt" got.txt
record sftp -F cfg -b good "srv:/nowhere"
record sftp -F cfg -b good nokey
record sftp -F cfg -b good stranger
record sftp -F cfg -b good changed
record sftp -F cfg -b good closed
record sftp -F cfg -b good nosftp
record sftp -F cfg -b good silent
record sftp -F cfg -b good hangup
record sftp -F cfg -b good host.example.invalid
record sftp -F cfg -S nosuchssh -b good srv
record sftp -Z srv
record sftp
record sftp -F cfg -P abc srv
mkdir small
mount -t tmpfs -o size=64k tmpfs small 2>/dev/null && {
  printf 'put big.bin %s/small/\n' "$PWD" >put-big && record sftp -F cfg -b put-big srv
  printf 'get big.bin small/\n' >get-big && record sftp -F cfg -b get-big "srv:$PWD"
  umount small
}
cp key open-key && chmod 644 open-key
{ host openkey "$port" open-key known; host gone "$port" nokeyfile known; sed -n '/^Host \*/,$p' cfg; } >cfg2
chmod 600 cfg2
record sftp -F cfg2 -b good openkey
record sftp -F cfg2 -i nowhere -b good gone
record sftp -F cfg -c 3des-cbc -b good srv
printf '#!/bin/sh\necho Welcome to this server\nexec sleep 1\n' >noisy && chmod +x noisy
record sftp -F cfg -S "$PWD/noisy" -b good srv
printf -- '-rm nowhere\nput a.txt\n' >tolerant && record sftp -F cfg -b tolerant "srv:$at"
printf 'frobnicate\n' | record --stdin sftp -F cfg "srv:$at/./"
# As another user, by a server program of its own
as="$(command -v sftp-server || ls /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server 2>/dev/null | head -1)"
chmod 755 there && chmod 600 there/a.txt
printf 'get %s/a.txt stolen.txt\n' "$at" >get-locked
printf 'put a.txt %s/x.txt\n' "$at" >put-locked
printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups -- %s\n' "$as" >weak && chmod 755 weak
record sftp -D "$PWD/weak" -b get-locked
record sftp -D "$PWD/weak" -b put-locked
# The session ends in the middle of a slow transfer
(sleep 2; kill $(pgrep -P "$daemon")) &
printf "put big.bin %s/slow.bin\n" "$at" >slow && record sftp -F cfg -l 100 -b slow srv

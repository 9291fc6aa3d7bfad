needs sudo setpriv unshare
# A mount namespace of its own, so that users, passwords and rules are this script's alone.
own_mounts
etc="$RECORD_WORLD/../etc" && mkdir "$etc" "$etc/sudoers.d" && chmod 755 "$RECORD_WORLD" "$RECORD_WORLD/.."
hash=$(openssl passwd -6 -salt abc right)
printf 'root:x:0:0::/:/bin/sh\n' >"$etc/passwd" && printf 'root:*:19000:0:99999:7:::\n' >"$etc/shadow" && printf 'root:x:0:\n' >"$etc/group"
id=4100
for name in agent guest limited free old gone stale; do
  echo "$name:x:$id:$id::/tmp:/bin/sh" >>"$etc/passwd"; echo "$name:x:$id:" >>"$etc/group"
  echo "$name:$hash:19000:0:99999:7:::" >>"$etc/shadow"; id=$((id + 1))
done
sed -i 's/^old:\([^:]*\):19000:0:99999:7:::/old:\1:19000:0:30:7:5::/' "$etc/shadow"
sed -i 's/^gone:\([^:]*\):.*/gone:\1:19000:0:99999:7::19001:/; s/^stale:\([^:]*\):.*/stale:\1:19000:0:30:7:::/' "$etc/shadow"
echo 'nobody:x:65534:65534::/:/usr/sbin/nologin' >>"$etc/passwd"
cat >"$etc/sudoers" <<RULES
Defaults !lecture, secure_path="/usr/sbin:/usr/bin:/sbin:/bin", !fqdn, !syslog
Host_Alias HERE = ALL
root ALL=(ALL:ALL) ALL
agent ALL=(ALL:ALL) ALL
limited ALL=(root) NOPASSWD: /usr/bin/id, NOEXEC: /usr/bin/env
free ALL=(ALL:ALL) NOPASSWD: ALL
old ALL=(ALL:ALL) ALL
gone ALL=(ALL:ALL) ALL
stale ALL=(ALL:ALL) ALL
RULES
chmod 440 "$etc/sudoers"
mkdir -p /run/sudo
for file in passwd shadow group sudoers sudoers.d; do mount --bind "$etc/$file" "/etc/$file"; done
mount -t tmpfs tmpfs /run/sudo
fixed /usr/bin/sudo: sudo:
hostname=$(hostname) && fixed " on $hostname" " on world" && fixed "host $hostname" "host world"
as() { # as USER sudo ARGS: the word sudo is then a program that becomes USER first
  local user=$1 bin="$RECORD_WORLD/../as-$1"; shift
  mkdir -p "$bin" && printf '#!/bin/sh\nPATH=/usr/sbin:/usr/bin:/sbin:/bin exec setpriv --reuid=%s --regid=%s --clear-groups %s -- /usr/bin/sudo "$@"\n' "$user" "$user" "${PRIVS:-}" >"$bin/sudo"
  chmod 755 "$bin" "$bin/sudo"; PATH="$bin:$PATH" record "${STDIN[@]}" "$@"
}
STDIN=()
version "sudo $(sudo --version | sed -n '1s/.* //p')"

# Credentials
as agent sudo id
as agent sudo -n id
as agent sudo -A id
as agent sudo -v
as agent sudo -nv
as agent sudo -n -l
STDIN=(--stdin)
as agent sudo -S id </dev/null
as agent sudo -S id <<<wrong
as agent sudo -S -p '' id <<<$'wrong\nwrong\nwrong'
as agent sudo -S -p '' id -u <<<right
as old sudo -S -p '' id <<<right
as gone sudo -S -p '' id <<<right
as stale sudo -S -p '' id <<<right
as guest sudo -S -p '' id <<<right
as limited sudo -S -p '' cat /etc/shadow <<<right
as limited sudo -S -p '' -u free cat /etc/hostname <<<right
as guest sudo -S -p '' -l <<<right
STDIN=()
# Rights
as guest sudo -n id
as guest sudo -n -l
as limited sudo -n id -u
as limited sudo -n cat /etc/shadow
as limited sudo -n -u free id
as limited sudo -n -l
as limited sudo -n -l /bin/ls
as limited sudo -n sh -c 'echo permission denied'
as limited sudo -n -E id -u
as limited sudo -n FOO=bar id -u
as limited sudo -n -C 5 id -u
as limited sudo -n -R /tmp id
as limited sudo -n -D /tmp id
as limited sudo -n -i
PRIVS=--no-new-privs as free sudo -n id
# The command
as free sudo -n nosuchprogram
as free sudo -n ./nosuchprogram
touch plain && chmod 644 plain
as free sudo -n ./plain
as free sudo -n /tmp
as free sudo -n -u nosuchuser id
as free sudo -n -g nosuchgroup id
as free sudo -n -u '#99999' id
as free sudo -n -D /nosuch id
as free sudo -n cat nofile
as free sudo -n false
as free sudo -n sh -c 'kill -9 $$'
as free sudo -n id -u
as free sudo -n -T 1 sleep 5
echo 'Defaults user_command_timeouts' >>"$etc/sudoers"
as free sudo -n -T 1 sleep 5
head -c 200 /dev/urandom >binary && chmod 755 binary
as free sudo -n ./binary
as free sudo -n -e nosuchdir/file
as free sudo -n -l
printf '#!/nosuch/interpreter\n' >script && chmod 755 script
as free sudo -n ./script
# The command line
as free sudo
as free sudo --frobnicate id
as free sudo -Z id
as free sudo -u
as free sudo -l -v
as free sudo -n -C x id
as free sudo -n -T x id
as free sudo -e
as free sudo -n -h elsewhere id
# A name of this machine that is in no table
echo 'Defaults fqdn' >>"$etc/sudoers"
unshare -u bash -c "hostname nosuchhost.invalid; $(declare -f as record); STDIN=(); as free sudo -n false; as free sudo -n id -u; as free sudo -n cat nofile; as free sudo -n grep zzz /etc/hostname"
# The set-up of sudo
printf 'agent ALL=(ALL ALL\n' >"$etc/sudoers.d/broken" && chmod 440 "$etc/sudoers.d/broken"
grep -v '^Defaults fqdn' "$etc/sudoers" >"$etc/good" && cat "$etc/good" >"$etc/sudoers" && echo '@includedir /etc/sudoers.d' >>"$etc/sudoers"
as free sudo -n id -u
cat "$etc/good" >"$etc/sudoers"
chmod 666 "$etc/sudoers"
as free sudo -n id
chmod 440 "$etc/sudoers" && chown nobody "$etc/sudoers"
as free sudo -n id
chown root "$etc/sudoers" && echo 'free ALL=(ALL' >"$etc/sudoers"
as free sudo -n id
cat "$etc/good" >"$etc/sudoers" && echo 'Defaults requiretty' >>"$etc/sudoers"
as free sudo -n id
cat "$etc/good" >"$etc/sudoers"
umount /etc/passwd && cp "$etc/passwd" "$etc/fewer" && sed -i '/^free:/d' "$etc/fewer" && mount --bind "$etc/fewer" /etc/passwd
as 4103 sudo -n id
mkdir -p nosuid && mount -t tmpfs -o nosuid tmpfs nosuid && cp -p /usr/bin/sudo nosuid/ && cp -p /usr/bin/sudo mine-sudo && chmod 755 mine-sudo
bin="$RECORD_WORLD/../as-nosuid" && mkdir "$bin" && printf '#!/bin/sh\nexec setpriv --reuid=agent --regid=agent --clear-groups -- %s/nosuid/sudo "$@"\n' "$RECORD_WORLD" >"$bin/sudo" && chmod 755 "$bin/sudo" "$bin"
PATH="$bin:$PATH" record sudo id
printf '#!/bin/sh\nexec setpriv --reuid=agent --regid=agent --clear-groups -- %s/mine-sudo "$@"\n' "$RECORD_WORLD" >"$bin/sudo"
PATH="$bin:$PATH" record sudo id
umount nosuid

needs crontab setpriv unshare
# The tables of this machine stay as they are: a mount namespace has a spool of its own.
own_mounts
chmod 755 "$RECORD_WORLD" "$RECORD_WORLD/.."
etc="$RECORD_WORLD/../etc" && mkdir "$etc" && cp -a /etc/. "$etc/" 2>/dev/null
spool() { mount -t tmpfs -o "size=${1:-1m},mode=755" tmpfs /var/spool/cron && mkdir /var/spool/cron/crontabs && chgrp crontab /var/spool/cron/crontabs && chmod 1730 /var/spool/cron/crontabs; }
spool
version "cron $(dpkg-query -W -f '${Version}' cron 2>/dev/null)"
echo '0 5 * * * /bin/true' >good
echo '99 5 * * * /bin/true' >minute
echo '0 5 * * /bin/true' >weekday
printf '0 5 * * * /bin/true\n0 5 * * *\n' >command
printf '0 5 * * * /bin/true' >eof
echo '@nosuch /bin/true' >nick
record crontab -l
record crontab -r
record crontab good
record crontab -l
record crontab minute
record crontab weekday
record crontab eof
record crontab nick
record --stdin crontab - <<<'0 25 * * * /bin/true'
record crontab nofile
record crontab .
record crontab -u nosuchuser -l
record crontab -u nobody -l
record crontab -e
record crontab -l -r
record crontab -x
record crontab --frobnicate
record crontab -u
as_nobody crontab -l
as_nobody crontab -u root -l
as_nobody crontab good
echo nobody >"$etc/cron.deny"
mount --bind "$etc" /etc && rm -f /etc/cron.allow
as_nobody crontab -l
as_nobody crontab -e
umount /etc
umount /var/spool/cron
spool 8k && head -c 100000 /dev/zero >/var/spool/cron/fill 2>/dev/null
{ cat good; for i in $(seq 500); do echo "# filler line number $i"; done; } >large
record crontab large
mount -o remount,ro /var/spool/cron
record crontab good
umount /var/spool/cron
mount -t tmpfs tmpfs /var/spool/cron
record crontab good
umount /var/spool/cron
if command -v busybox >/dev/null && busybox --list | grep -qx crontab; then
  version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
  mkdir bb tabs && ln -s "$(command -v busybox)" bb/crontab && export PATH="$PWD/bb:$PATH"
  record crontab -c tabs -l
  record crontab -c tabs good
  record crontab -c tabs -u nosuchuser -l
  record crontab -c nowhere -l
fi

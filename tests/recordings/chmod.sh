needs chmod busybox
other_tools chmod chown chgrp
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
touch a b && mkdir d
record chmod 644 a
record chmod 644 nofile
record chmod 644 a nofile
record chmod -v 600 a nofile
record chmod -v 600 nofile
record chmod abc a
record chmod 999 a
record chmod u+z a
record chmod 644
record chmod
record chmod --nosuch a
record chmod --reference=nofile a
record chown nosuchuser a
record chown :nosuchgroup a
record chown root
record chown root nofile
record chown -v root a nofile
record chgrp nosuchgroup a
record chgrp root nofile
if root; then
  PATH="$nobody:$PATH" record chmod 777 a
  PATH="$nobody:$PATH" record chown root a
  PATH="$nobody:$PATH" record chown -R nobody d
  PATH="$nobody:$PATH" record chgrp root a
  mkdir full && mount -t tmpfs tmpfs full && touch full/x && mount -o remount,ro full
  record chmod 600 full/x
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record chmod 644 nofile
PATH="$bb:$PATH" record chmod abc a
PATH="$bb:$PATH" record chmod 644
PATH="$bb:$PATH" record chmod --nosuch a
PATH="$bb:$PATH" record chown nosuchuser a
PATH="$bb:$PATH" record chgrp nosuchgroup a

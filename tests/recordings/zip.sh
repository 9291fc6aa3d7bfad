needs zip unzip
other_tools zip
version "Zip $(zip -v | sed -n '2s/This is Zip \([0-9.]*\).*/\1/p')"
mkdir -p d && echo a >d/a && echo b >d/b && echo 'no archive' >no.zip && zip -qr a.zip d

record zip -r b.zip d
record zip b.zip nofile
record zip b.zip d/a nofile
record zip -u a.zip d
record zip -d a.zip nomember
record zip no.zip d/a
record zip nodir/x.zip d/a
record zip b.zip
record zip --nosuch b.zip d
record zip -T nofile.zip
record zip -T no.zip
record zip -Z nosuch b.zip d/a
head -c 120 a.zip >cut.zip
record zip -T cut.zip
if root; then
  mkdir ro
  PATH="$nobody:$PATH" record zip ro/x.zip d/a
  chmod 600 d/b && mkdir open && chmod 777 open
  PATH="$nobody:$PATH" record zip open/y.zip d/a d/b
  PATH="$nobody:$PATH" record zip open/z.zip d/b
  mkdir full && mount -t tmpfs -o size=16k tmpfs full && head -c 100000 /dev/urandom >big
  record zip full/x.zip big
  umount full
fi

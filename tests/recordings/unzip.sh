needs unzip zip busybox
other_tools unzip
version "UnZip $(unzip -v | sed -n '1s/UnZip \([0-9.]*\).*/\1/p')"
mkdir -p d out && echo a >d/a && echo b >d/b && echo 'no archive' >no.zip && zip -qr a.zip d && zip -qrP secret locked.zip d
head -c 120 a.zip >cut.zip
"$RECORD_PYTHON" - <<'PYTHON'
raw = bytearray(open("a.zip", "rb").read())
at = raw.index(b"d/a", 30)
raw[at + 3 + 30] ^= 0xFF
open("damaged.zip", "wb").write(raw)
PYTHON

record unzip -l a.zip
record unzip nofile.zip
record unzip no.zip
record unzip cut.zip
record unzip a.zip nomember -d out
record unzip a.zip d/a nomember -d out
record unzip -o damaged.zip -d out2
record unzip -t damaged.zip
record unzip locked.zip -d out3
record unzip -P wrong locked.zip -d out3
record unzip a.zip
record unzip -n a.zip
record unzip --nosuch a.zip
record unzip -h
record unzip -Z1 a.zip
record unzip -Y a.zip
"$RECORD_PYTHON" -c 'import zipfile; z = zipfile.ZipFile("lzma.zip", "w", zipfile.ZIP_LZMA); z.writestr("x", "abc" * 99)'
record unzip lzma.zip -d out6
record unzip a.zip -d nodir/deep
record unzip -tq a.zip
if root; then
  mkdir ro && chmod 644 a.zip
  PATH="$nobody:$PATH" record unzip a.zip -d ro
  mkdir full && mount -t tmpfs -o size=16k tmpfs full && head -c 100000 /dev/urandom >big && zip -q big.zip big
  record unzip big.zip -d full
  umount full
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record unzip nofile.zip
PATH="$bb:$PATH" record unzip no.zip
PATH="$bb:$PATH" record unzip a.zip nomember -d out4
PATH="$bb:$PATH" record unzip a.zip
PATH="$bb:$PATH" record unzip locked.zip -d out5

needs apt-get dpkg dpkg-deb dpkg-scanpackages setpriv
version "apt $(apt-get --version | sed -n '1s/^apt \([0-9.]*\).*/\1/p')"
http_server

# A system of its own below $PWD/root: nothing of the machine's package database is touched.
use debian
root=$PWD/root debs=$PWD/repo
system() {
  rm -rf "$root"
  apt_folders
  echo "deb [trusted=yes] file:$PWD/repo ./" >"$root/etc/apt/sources.list"
  apt-get -qq update 2>/dev/null
}
apt_settings

deb hello 1.0
deb hello 2.0
deb tree 1.0
deb needs-absent 1.0 "Depends: not-in-any-archive"
deb needs-old 1.0 "Depends: hello (<< 1.5)"
deb needs-new 1.0 "Depends: hello (>= 2.0)"
deb needs-tree 1.0 "Depends: tree"
deb enemy 1.0 "Conflicts: tree"
deb essential 1.0 "Essential: yes"
script postinst 'echo starting the service; exit 3'; deb broken-postinst 1.0
script postinst 'echo "curl: (7) Failed to connect to localhost port 9: Connection refused" >&2; exit 7'; deb offline-postinst 1.0
script prerm 'exit 1'; deb clinging 1.0
mkdir -p build/usr/share/world; echo a >build/usr/share/world/file; deb owner 1.0
mkdir -p build/usr/share/world; echo b >build/usr/share/world/file; deb thief 1.0
mkdir -p build/usr/share/world; head -c 400000 /dev/urandom >build/usr/share/world/big; deb big 1.0
deb vanished 1.0
deb mangled 1.0
mkdir -p build/etc build/DEBIAN; echo 1 >build/etc/world.conf; echo /etc/world.conf >build/DEBIAN/conffiles; deb configured 1.0
mkdir -p build/etc build/DEBIAN; echo 2 >build/etc/world.conf; echo /etc/world.conf >build/DEBIAN/conffiles; deb configured 2.0
(cd repo && dpkg-scanpackages -m . 2>/dev/null >Packages)
printf 'Package: only-mentioned\nVersion: 1.0\nArchitecture: all\nFilename: ./missing.deb\nSize: 10\nMaintainer: x\nSHA256: %064d\nDescription: x\n' 0 >>repo/Packages
rm repo/vanished_1.0.deb
printf x | dd of=repo/mangled_1.0.deb bs=1 seek=200 conv=notrunc 2>/dev/null

# What was asked for
system
record apt-get install -y no-such-package
record apt-get install -y hello no-such-package
record apt-get remove -y no-such-package
record apt-get install -y hello=9.9
record apt-get install -y hello/bullseye
record apt-get install -y not-in-any-archive
record apt-get install -y -t bullseye hello
record apt-get install -y ./no-such.deb
record apt-get source hello
record apt-get build-dep hello
record apt-get download no-such-package
record apt-get changelog no-such-package
record apt-get frobnicate
record apt-get install --frobnicate hello
record apt-get -o
record apt-get
record apt-get update hello
echo 'not a package' >junk.deb
record apt-get install -y ./junk.deb
record apt-get install hello
record apt-get install needs-tree
record apt-get install -y --no-remove hello
record apt-get install -s hello
record apt-get remove -y tree

# Requirements that cannot be met
record apt-get install -y needs-absent
record apt-get install -y needs-old needs-new
record apt-get install -y tree enemy
record apt-get install -y needs-old hello=2.0
system
apt-get install -y -qq essential hello=1.0 >/dev/null 2>&1
record apt-get remove -y essential
record apt-get remove -y --no-remove hello
apt-get install -y -qq hello=2.0 >/dev/null 2>&1
record apt-get install -y hello=1.0
printf 'Package: needs-absent\nStatus: install ok unpacked\nVersion: 1.0\nArchitecture: all\nMaintainer: x\nDepends: not-in-any-archive\nDescription: x\n\n' >>"$root/var/lib/dpkg/status"
record apt-get install -y tree
record apt-get check

# Packages that fail while they are set up
system
record apt-get install -y broken-postinst
system
record apt-get install -y broken-postinst tree
system
record apt-get install -y offline-postinst
system
apt-get install -y -qq clinging >/dev/null 2>&1
record apt-get remove -y clinging
system
apt-get install -y -qq owner >/dev/null 2>&1
record apt-get install -y thief
system
record apt-get install -y vanished
record apt-get install -y mangled

# The machine is not ready
system
hold_locks "$root/var/lib/dpkg/lock-frontend" "$root/var/lib/apt/lists/lock"
fixed "process $locker" "process 4711"
sleep 0.5
record apt-get install -y hello
record apt-get update
kill $locker
system
touch "$root/var/lib/dpkg/updates/0001"
record apt-get install -y hello
rm "$root/var/lib/dpkg/updates/0001"
chmod -R a+rX "$RECORD_WORLD/.."
as_nobody apt-get install -y hello
as_nobody apt-get update
mkdir small && mount -t tmpfs -o size=64k tmpfs small && mkdir -p small/partial
cp apt.conf full.conf; echo "Dir::Cache::archives \"$PWD/small\";" >>full.conf
sed -i "s|file:$PWD|copy:$PWD|" "$root/etc/apt/sources.list"
apt-get -qq update 2>/dev/null
APT_CONFIG=$PWD/full.conf record apt-get install -y big
umount small

# Sources
fixed "127.0.0.1 ${HTTP##*:}" '127.0.0.1 8000'
fixed "127.0.0.1 ${CLOSED##*:}" '127.0.0.1 9'
fixed "127.0.0.1 ${SILENT##*:}" '127.0.0.1 8001'
fixed "127.0.0.1 ${HANGUP##*:}" '127.0.0.1 8002'
fixed "127.0.0.1 ${HTTPS##*:}" '127.0.0.1 8443'
system
list="$root/etc/apt/sources.list"
echo 'deb http://127.0.0.1' >"$list"
record apt-get update
echo "deb [signed-by=/nope.gpg trusted=yes arch=] $HTTP/x ./" >"$list"
record apt-get update
echo "deb [trusted=yes] http://$CLOSED/debian stable main" >"$list"
record apt-get update
echo "deb [trusted=yes] http://debian.invalid/debian stable main" >"$list"
record apt-get update
echo "deb [trusted=yes] http://$HANGUP/debian stable main" >"$list"
record apt-get update
echo "Acquire::http::Timeout \"2\";" >>apt.conf
echo "deb [trusted=yes] http://$SILENT/debian stable main" >"$list"
record apt-get update
echo "deb [trusted=yes] $HTTPS/debian stable main" >"$list"
record apt-get update
for status in 401 403 404 429 500 503; do
  echo "deb [trusted=yes] $HTTP/$status/debian stable main" >"$list"
  record apt-get update
done
echo "deb $HTTP/debian stable main" >"$list"
record apt-get update
echo "deb foo://127.0.0.1/debian stable main" >"$list"
record apt-get update
printf 'deb [trusted=yes] file:%s/repo ./\ndeb [trusted=yes] http://%s/debian stable main\n' "$PWD" "$CLOSED" >"$list"
record apt-get update
printf 'deb [trusted=yes] file:%s/repo ./\ndeb [trusted=yes] %s/404 ./\n' "$PWD" "$HTTP" >"$list"
record apt-get update
record apt-get install -y hello
printf 'deb [trusted=yes] file:%s/repo ./\ndeb [trusted=yes] file:%s/repo ./\n' "$PWD" "$PWD" >"$list"
record apt-get update

# A repository over http, signed by nobody that is trusted
if command -v gpg >/dev/null && command -v apt-ftparchive >/dev/null; then
  cp -r repo "$RECORD_WORLD/../http/root/signed"
  (
    cd "$RECORD_WORLD/../http/root/signed"
    apt-ftparchive release . >Release
    export GNUPGHOME=$RECORD_WORLD/home/gnupg; mkdir -m 700 "$GNUPGHOME"
    gpg -q --batch --passphrase '' --quick-generate-key world@example.com rsa2048 2>/dev/null
    gpg -q --batch --clearsign -o InRelease Release
    gpgconf --kill all
  )
  echo "deb $HTTP/signed ./" >"$list"
  record apt-get update
fi
rm -f "$list"; echo "deb [trusted=yes] $HTTP/plain ./" >"$list"
cp -r repo "$RECORD_WORLD/../http/root/plain"
dpkg --admindir="$root/var/lib/dpkg" --instdir="$root" --force-not-root -P hello >/dev/null 2>&1
apt-get -qq update
rm "$RECORD_WORLD/../http/root/plain/hello_2.0.deb"
record apt-get install -y hello
printf 'changed meanwhile' >"$RECORD_WORLD/../http/root/plain/hello_2.0.deb"
record apt-get install -y hello

# A changed configuration file, about which dpkg asks
echo "deb [trusted=yes] file:$PWD/repo ./" >"$list"
apt-get -qq update
apt-get install -y -qq configured=1.0 >/dev/null 2>&1
echo changed >"$root/etc/world.conf"
record apt-get install -y configured

needs dpkg dpkg-deb dpkg-query setpriv
version "dpkg $(dpkg --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')"

# A database of its own, reached through the user's configuration.
use debian
root=$PWD/root debs=$PWD
fresh() {
  rm -rf "$root"
  mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers} "$root/var/log"
  : >"$root/var/lib/dpkg/status"
}
fresh
export DPKG_ADMINDIR=$root/var/lib/dpkg
cat >"$HOME/.dpkg.cfg" <<CONF
instdir $root
force-script-chrootless
log $PWD/dpkg.log
CONF
deb hello 1.0
deb hello 2.0
deb needs-tree 1.0 'Depends: tree'
deb enemy 1.0 'Conflicts: hello'
deb essential 1.0 'Essential: yes'
arch=riscv64 deb foreign 1.0
script postinst 'echo configuring; exit 3'; deb broken-postinst 1.0
script preinst 'exit 1'; deb broken-preinst 1.0
script prerm 'exit 1'; deb clinging 1.0
mkdir -p build/usr/share/world; echo a >build/usr/share/world/file; deb owner 1.0
mkdir -p build/usr/share/world; echo b >build/usr/share/world/file; deb thief 1.0
mkdir -p build/usr/share/world; head -c 400000 /dev/urandom >build/usr/share/world/big; deb big 1.0
echo 'not a package' >junk.deb
head -c 300 hello_1.0.deb >cut.deb

record dpkg -i hello_1.0.deb
record dpkg -l hello
record dpkg -s hello
record dpkg-query -W hello
record dpkg -i nope.deb
record dpkg -i junk.deb
record dpkg -i cut.deb
record dpkg -i foreign_1.0.deb
record dpkg -i needs-tree_1.0.deb
fresh
record dpkg -i hello_1.0.deb needs-tree_1.0.deb
record dpkg -i hello_2.0.deb nope.deb
fresh; dpkg -i hello_1.0.deb >/dev/null 2>&1
record dpkg -i enemy_1.0.deb
dpkg -i essential_1.0.deb >/dev/null 2>&1
record dpkg -r essential
record dpkg -r no-such-package
record dpkg -P no-such-package
record dpkg -l no-such-package
record dpkg -s no-such-package
record dpkg -L no-such-package
record dpkg -S /no/such/file
record dpkg-query -W no-such-package
record dpkg -p no-such-package
fresh
record dpkg -i broken-postinst_1.0.deb
record dpkg --configure -a
fresh
record dpkg -i broken-preinst_1.0.deb
fresh
record dpkg -i broken-postinst_1.0.deb hello_1.0.deb
fresh; dpkg -i clinging_1.0.deb >/dev/null 2>&1
record dpkg -r clinging
fresh; dpkg -i owner_1.0.deb >/dev/null 2>&1
record dpkg -i thief_1.0.deb
echo 'Package: x' >"$root/var/lib/dpkg/info/hello.list"
fresh; dpkg -i hello_1.0.deb >/dev/null 2>&1
printf 'Package: needs-hello\nStatus: install ok installed\nVersion: 1.0\nArchitecture: all\nMaintainer: x\nDepends: hello\nDescription: x\n\n' >>"$root/var/lib/dpkg/status"
: >"$root/var/lib/dpkg/info/needs-hello.list"
record dpkg -r hello
record dpkg --frobnicate
record dpkg -i
record dpkg
record dpkg hello_1.0.deb
record dpkg --compare-versions 1.0 gt 2.0
record dpkg --compare-versions 1.0 frob 2.0
record dpkg --compare-versions 2.0 gt 1.0
record dpkg --configure no-such-package
record dpkg --verify
record dpkg -c nope.deb
record dpkg -I junk.deb
record dpkg --print-architecture
record dpkg -b nodir x.deb
record dpkg --audit
echo 'this is not a status file' >"$root/var/lib/dpkg/status"
record dpkg -l
fresh
record dpkg --get-selections
for number in 1 2; do
  mkdir -p build/etc build/DEBIAN; echo "version $number" >build/etc/world.conf; echo /etc/world.conf >build/DEBIAN/conffiles
  deb configured $number.0
done
dpkg -i configured_1.0.deb >/dev/null 2>&1
echo changed >"$root/etc/world.conf"
record dpkg -i configured_2.0.deb
record dpkg -L configured
record dpkg --get-selections
record dpkg -l 'conf*' 'no-such*'
fresh
hold_locks "$root/var/lib/dpkg/lock" "$root/var/lib/dpkg/lock-frontend"
fixed "pid $locker" "pid 4711"
sleep 0.5
record dpkg -i hello_1.0.deb
kill $locker
fresh
chmod -R a+rX "$RECORD_WORLD/.."
as_nobody dpkg -i hello_1.0.deb
mkdir small && mount -t tmpfs -o size=64k tmpfs small
echo "instdir $PWD/small" >>"$HOME/.dpkg.cfg"
record dpkg -i big_1.0.deb
umount small

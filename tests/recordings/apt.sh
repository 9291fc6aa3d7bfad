needs apt apt-get apt-cache dpkg-deb dpkg-scanpackages setpriv
version "apt $(apt-get --version | sed -n '1s/^apt \([0-9.]*\).*/\1/p')"

# A system of its own below $PWD/root, as for apt-get.
root=$PWD/root
mkdir -p "$root"/etc/apt/{sources.list.d,preferences.d,apt.conf.d,trusted.gpg.d,auth.conf.d} \
  "$root"/var/lib/apt/lists/partial "$root"/var/cache/apt/archives/partial "$root"/var/log/apt \
  "$root"/var/lib/dpkg/{info,updates,triggers}
: >"$root/var/lib/dpkg/status"
echo "deb [trusted=yes] copy:$PWD/repo ./" >"$root/etc/apt/sources.list"
cat >apt.conf <<CONF
Dir::Etc "$root/etc/apt";
Dir::State "$root/var/lib/apt";
Dir::State::status "$root/var/lib/dpkg/status";
Dir::Cache "$root/var/cache/apt";
Dir::Log "$root/var/log/apt";
DPkg::Options { "--admindir=$root/var/lib/dpkg"; "--instdir=$root"; "--force-script-chrootless"; "--force-not-root"; "--log=$root/var/log/dpkg.log"; };
#clear DPkg::Pre-Install-Pkgs;
#clear DPkg::Post-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Architecture "amd64";
APT::Sandbox::User "root";
Acquire::Retries "0";
CONF
export APT_CONFIG=$PWD/apt.conf
mkdir repo
deb() {
  mkdir -p build/DEBIAN
  printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: World <world@example.com>\nDescription: for a test\n' "$1" "$2" >build/DEBIAN/control
  [ -z "$3" ] || echo "$3" >>build/DEBIAN/control
  dpkg-deb --root-owner-group -b build "repo/$1_$2.deb" >/dev/null
  rm -r build
}
deb hello 1.0
deb hello 2.0
deb tree 1.0
deb needs-tree 1.0 'Depends: tree'
deb needs-old 1.0 'Depends: hello (<< 1.5)'
(cd repo && dpkg-scanpackages -m . 2>/dev/null >Packages)
apt-get -qq update

record apt install -y no-such-package
record apt show no-such-package
record apt show hello
record apt policy no-such-package
record apt search zzzz-nothing
record apt list no-such-package
record apt list hello
record apt list --installed
record apt frobnicate
record apt list --frobnicate
record apt install needs-tree
record apt install -y needs-old hello=2.0
record apt show
record apt-cache show no-such-package
record apt-cache policy hello
record apt-cache pkgnames
record apt-cache depends no-such-package
record apt-cache frobnicate
record apt edit-sources
closed=$(free_port); fixed "127.0.0.1:$closed" 127.0.0.1:9
echo "deb [trusted=yes] http://127.0.0.1:$closed/debian stable main" >"$root/etc/apt/sources.list.d/x.list"
record apt update
rm "$root/etc/apt/sources.list.d/x.list"
record apt update
chmod -R a+rX "$RECORD_WORLD/.."
as_nobody apt update
as_nobody apt remove -y hello

needs apt apt-get apt-cache dpkg-deb dpkg-scanpackages setpriv
version "apt $(apt-get --version | sed -n '1s/^apt \([0-9.]*\).*/\1/p')"

# A system of its own below $PWD/root: nothing of the machine's package database is touched.
use debian
root=$PWD/root debs=$PWD/repo
apt_folders
echo "deb [trusted=yes] copy:$PWD/repo ./" >"$root/etc/apt/sources.list"
apt_settings
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

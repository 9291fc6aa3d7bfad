needs dnf rpmbuild createrepo_c setpriv
version "dnf $(dnf --version 2>/dev/null | head -1)"
http_server
# A system of its own below $PWD/root: a program of the same name adds what says so.
mkdir -p bin root repo repos
cat >dnf.conf <<CONF
[main]
gpgcheck=0
reposdir=$PWD/repos
cachedir=$PWD/cache
logdir=$PWD/log
persistdir=$PWD/persist
plugins=0
retries=1
timeout=2
skip_if_unavailable=0
CONF
printf '#!/bin/sh\nexec %s -c %s/dnf.conf --installroot=%s/root --releasever=1 --setopt=reposdir=%s/repos "$@"\n' "$(command -v dnf)" "$PWD" "$PWD" "$PWD" >bin/dnf
chmod 755 bin/dnf
mkdir -p root/var/lib/rpm; rpm --root "$PWD/root" --initdb 2>/dev/null
export PATH=$PWD/bin:$PATH
rpm_of() { # NAME VERSION LINES
  printf 'Name: %s\nVersion: %s\nRelease: 1\nSummary: x\nLicense: MIT\nBuildArch: noarch\n%s\n%%description\nx\n%s\n' "$1" "$2" "$3" "${4:-%files}" >x.spec
  rpmbuild -bb --quiet --define "_rpmdir $PWD/repo" --define "_topdir $PWD/build" x.spec >/dev/null 2>&1
}
rpm_of hello 1.0
rpm_of hello 2.0
rpm_of tree 1.0
rpm_of needs-absent 1.0 'Requires: not-in-any-repository'
rpm_of needs-old 1.0 'Requires: hello < 1.5'
rpm_of needs-new 1.0 'Requires: hello >= 2.0'
rpm_of enemy 1.0 'Conflicts: tree'
rpm_of broken 1.0 '' '%pre
exit 1
%files'
rpm_of owner 1.0 '' '%install
mkdir -p %{buildroot}/usr/share; echo a >%{buildroot}/usr/share/world
%files
/usr/share/world'
rpm_of thief 1.0 '' '%install
mkdir -p %{buildroot}/usr/share; echo b >%{buildroot}/usr/share/world
%files
/usr/share/world'
rpm_of vanished 1.0
createrepo_c -q repo
rm repo/noarch/vanished-1.0-1.noarch.rpm
source() { printf '[world]\nname=World\nbaseurl=%s\n%s\n' "$1" "$2" >repos/world.repo; }
source "file://$PWD/repo"

record dnf install -y hello-1.0
record dnf install -y no-such-package
record dnf install -y tree no-such-package
record dnf remove -y no-such-package
record dnf install -y hello-9.9
record dnf install -y ./nope.rpm
echo text >junk.rpm
record dnf install -y ./junk.rpm
record dnf install -y hello
record dnf install owner
record dnf install -y needs-absent
record dnf install -y needs-old needs-new
record dnf install -y tree enemy
record dnf install -y broken
record dnf install -y vanished
record dnf check-update
record dnf list --installed
record dnf list no-such-package
record dnf info no-such-package
record dnf search zzzz-nothing
record dnf provides /no/such/file
record dnf repoquery no-such-package
record dnf frobnicate
record dnf isntall hello
record dnf install --frobnicate hello
record dnf install
record dnf --enablerepo=no-such-repo install -y hello
record dnf --disablerepo='*' install -y hello
record dnf group install -y no-such-group
record dnf history info 999
record dnf downgrade -y hello
record dnf install -y owner
record dnf install -y thief
record dnf check
source "http://$CLOSED/x"; dnf clean all -q >/dev/null 2>&1
record dnf makecache
source "http://no-such-host.invalid/x"
record dnf makecache
source "$HTTPS/x"
record dnf makecache
for status in 401 403 404 429 503; do source "$HTTP/$status"; record dnf makecache; done
source "http://$SILENT/x"
record dnf makecache
source "file://$PWD/repo" 'gpgcheck=1'
dnf clean all -q >/dev/null 2>&1
record dnf install -y tree
echo 'not an ini file' >repos/world.repo
record dnf makecache
rm repos/world.repo
record dnf install -y hello
source "file://$PWD/repo"
chmod -R a+rX "$RECORD_WORLD/.."
chmod -R a+rwX "root$PWD/log" 2>/dev/null
mkdir other; sed 's/^exec /exec setpriv --reuid=65534 --regid=65534 --clear-groups -- /' bin/dnf >other/dnf; chmod 755 other/dnf
PATH=$PWD/other:$PATH record dnf install -y tree

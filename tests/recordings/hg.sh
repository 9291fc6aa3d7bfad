needs hg
version "Mercurial $(hg --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')"
http_server
chmod 755 "$RECORD_WORLD/.."
printf '[ui]\nusername = Ada <ada@example.com>\n' >home/.hgrc

record hg statsu
record hg nope
record hg status --nope
record hg s
record hg clone
record hg status
mkdir plain; cd plain; record hg log; cd ..
record hg clone nowhere copy
record hg clone "$HTTP/404" copy
record hg clone "$HTTP/401" copy
record hg clone "$HTTP/500" copy
record hg clone "http://$CLOSED/x" copy
record hg clone http://nowhere.invalid/x copy
record hg clone "$HTTPS/x" copy
record hg clone ssh://nobody@127.0.0.1:1/x copy

hg init one; cd one
record hg commit -m empty
echo a >a; echo b >b; hg add -q; hg commit -q -m first
record hg commit -m again
echo aa >a; record hg commit
hg revert -q --no-backup a
record hg grep nosuchtext
record hg files nofile
record hg push ../one
record hg log -r nope
record hg log nofile
record hg cat nofile
record hg update nope
record hg diff -r 0:99
record hg log -r 'foo('
record hg add missing
record hg bookmark -d nope
record hg tag -r 0 tip
record hg branch default
record hg push
record hg pull
record hg push nowhere
record hg paths nope
record hg config nope.nope
record hg import missing.patch
printf 'no patch\n' >bad.patch
record hg import bad.patch
printf -- '--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-zzz\n+yyy\n' >off.patch
record hg import off.patch --no-commit
record hg resolve --list
record hg rebase -d 0
record hg incoming ../one
record hg outgoing ../one
record hg verify
record hg root
record hg status
record hg identify
rm -f a.rej a.orig bad.patch off.patch; hg revert -q --all
cd ..
hg clone -q one two
cd two; echo two >a; hg commit -q -m two; cd ../one; echo one >a; hg commit -q -m one; cd ../two
record hg push
hg pull -q
record hg update tip --check
record hg merge -t internal:fail
hg update -q --clean .
record hg merge tip
hg update -q --clean .
record hg merge -r 1
record hg merge
record hg commit -m unmerged
record hg resolve --list
record hg update -q 0
hg update -q --clean 1; echo dirty >a
record hg merge
record hg update 0 --check
record hg rebase -d tip
record hg --config extensions.rebase= rebase -s 1 -d tip
record hg backout 0
record hg --config extensions.shelve= unshelve
hg update -q --clean 1
record hg --config extensions.rebase= rebase -s 1 -d tip -t internal:fail
record hg commit -m 'in the middle'
hg --config extensions.rebase= rebase --abort -q
hg log -q -r 1 >/dev/null; hg phase -p 1
record hg commit --amend -m public
record hg --config extensions.strip= strip nope
hg update -q --clean 1
ln -s elsewhere:1 .hg/wlock
record hg --config ui.timeout=1 commit -m locked
rm .hg/wlock
echo mine >new; cd ../one; echo theirs >new; hg add -q new; hg commit -q -m new; cd ../two; hg pull -q
record hg update -r "$(hg -R ../one log -r tip --template '{node|short}')"
rm new
cd ..
mkdir ro; hg clone -q one ro/three; chmod 755 . ..
if [ "$(id -u)" = 0 ]; then
  chmod -R go-w ro; chmod go-rwx ro/three/a
  cd ro/three
  record setpriv --reuid=65534 --regid=65534 --clear-groups -- hg --config ui.username=x --config extensions.blackbox=! commit -m denied
  cd ../..
fi
mkdir hook; hg init hook/repo; printf '[hooks]\npretxnchangegroup.no = echo rejected by policy; false\n' >hook/repo/.hg/hgrc
hg init future; echo nosuchfeature >>future/.hg/requires
cd future; record hg status; cd ..
hg clone -q --pull one damaged; truncate -s 10 damaged/.hg/store/data/a.i
cd damaged; record hg verify; cd ..
printf '[ui]\nnot a setting\n' >broken.rc
HGRCPATH="$PWD/broken.rc" record hg version
cd one; record hg push ../hook/repo
record hg log --template '{nope(1)}'
record hg bisect --good
record hg graft 0
record hg copy nofile other
record hg rename a b
record hg archive -t nope x
record hg summary
record hg branches
record hg tags
record hg log --template '{rev}\n'
cd ..
port=$(free_port); hg -R one serve -a 127.0.0.1 -p "$port" >/dev/null 2>&1 & wait_for "$port"; fixed "127.0.0.1:$port" 127.0.0.1:8005; fixed "localhost:$port" 127.0.0.1:8005
cd two; record hg push -f "http://127.0.0.1:$port/"
record hg pull -r nope "http://127.0.0.1:$port/"

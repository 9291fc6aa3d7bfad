needs svn svnadmin svnserve
version "svn $(svn --version --quiet)"
http_server
chmod 755 "$RECORD_WORLD/.."
svnadmin create repo; url="file://$PWD/repo"
svn mkdir -q -m trunk "$url/trunk" "$url/branches"

record svn statsu
record svn status --nope
record svn checkout
record svn commit -m x
record svn info
record svn info nofile
record svn info lib/nofile.c
record svn info "$url/nope"
record svn checkout "$url/nope" copy
record svn checkout file:///nowhere/repo copy
record svn checkout "$HTTP/404" copy
record svn checkout "$HTTP/401" copy
record svn checkout "$HTTP/403" copy
record svn checkout "$HTTP/500" copy
record svn checkout "http://$CLOSED/x" copy
record svn checkout http://nowhere.invalid/x copy
record svn checkout "$HTTPS/x" copy
record svn checkout svn://"$CLOSED"/x copy
record svn ls gopher://127.0.0.1/x
record svn log -r 999 "$url"
record svn log -r nope "$url"
record svn mkdir -m again "$url/trunk"
record svn mkdir "$url/fresh"
record svn cat "$url/trunk/nope"
record svn cat "$url/trunk"
record svn rm -m gone "$url/nope"
record svn copy -m x "$url/trunk" "$url/trunk/a/b/c"
record svn import nofolder "$url/x" -m x
svn checkout -q "$url/trunk" one; svn checkout -q "$url/trunk" two
cd one; echo a >a; record svn add nofile; record svn add a nofile2; svn add -q a 2>/dev/null; svn commit -q -m first; record svn add a
record svn status; cd ../two; svn update -q; echo two >a; cd ../one; echo one >a; svn commit -q -m one; cd ../two
record svn commit -m two
record svn update --accept postpone
record svn status
record svn commit -m two
record svn resolve a
svn revert -q a; cd ../one; echo x >x; svn add -q x; svn commit -q -m added; cd ../two; mkdir x
record svn update --accept postpone
rm -rf x; svn revert -q -R .; svn update -q
record svn commit
record svn merge "$url/nope"
record svn switch "$url/nope"
record svn propget svn:ignore a
record svn propset svn:executable
record svn propset svn:eol-style wrong a
record svn lock a
cd ../one; svn update -q; record svn lock a; echo locked >a; record svn commit -m locked; svn revert -q a
record svn diff
record svn blame nofile
record svn patch nofile.diff
record svn relocate "$url/nope"
cp -r ../one ../stuck; cd ../stuck; sqlite3 .svn/wc.db "INSERT INTO work_queue (work) VALUES ('bad')" 2>/dev/null || "$RECORD_PYTHON" -c 'import sqlite3; c=sqlite3.connect(".svn/wc.db"); c.execute("INSERT INTO wc_lock VALUES (1, \"\", -1)"); c.commit()'
record svn update
cd ..
mkdir hooked; svnadmin create hooked/repo; printf '#!/bin/sh\necho "message too short" >&2\nexit 1\n' >hooked/repo/hooks/pre-commit; chmod +x hooked/repo/hooks/pre-commit
record svn mkdir -m x "file://$PWD/hooked/repo/x"
svnadmin create served; printf '[general]\nanon-access = read\nauth-access = write\npassword-db = passwd\n' >served/conf/svnserve.conf; printf '[users]\nada = secret\n' >served/conf/passwd
port=$(free_port); svnserve -d --foreground -r "$PWD" --listen-host 127.0.0.1 --listen-port "$port" & wait_for "$port"; fixed "127.0.0.1:$port" 127.0.0.1:3690
record svn mkdir -m x "svn://127.0.0.1:$port/served/x"
record svn mkdir --username ada --password wrong -m x "svn://127.0.0.1:$port/served/x"
record svn ls "svn://127.0.0.1:$port/absent"
sed -i 's/anon-access = read/anon-access = none/' served/conf/svnserve.conf
record svn ls "svn://127.0.0.1:$port/served"
svnadmin create readonly; printf '[general]\nanon-access = read\nauth-access = read\n' >readonly/conf/svnserve.conf
record svn mkdir -m y "svn://127.0.0.1:$port/readonly/y"
svnadmin create future; echo 99 >future/format
record svn ls "file://$PWD/future"
cp -r one newer; "$RECORD_PYTHON" -c 'import sqlite3; c=sqlite3.connect("newer/.svn/wc.db"); c.execute("PRAGMA user_version = 99"); c.commit()'
record svn status newer
chmod 755 . one; chmod -R a+rX one
if [ "$(id -u)" = 0 ]; then record setpriv --reuid=65534 --regid=65534 --clear-groups -- svn add one/a; record setpriv --reuid=65534 --regid=65534 --clear-groups -- svn mkdir -m z "$url/z"; fi
record svn info one
record svn ls "$url"
record svn --version --quiet
record svn info --xml nofile
record svn propget svn:mime-type "$url/trunk" nothere

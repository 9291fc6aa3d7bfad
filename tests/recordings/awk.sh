needs gawk mawk busybox
bb="$RECORD_WORLD/../bb" && mkdir "$bb" && ln -s "$(command -v busybox)" "$bb/awk"
printf 'a 1\nb 2\n' >f && mkdir d
version "GNU awk $(gawk --version | sed -n '1s/GNU Awk \([0-9.]*\).*/\1/p')"
for awk in gawk mawk original-awk awk; do
  name=$awk path="$PATH"
  case $awk in
    mawk) version "$(mawk -W version 2>&1 | sed -n '1s/\(mawk [0-9.]*\).*/\1/p')" ;;
    original-awk)
      command -v original-awk >/dev/null || continue
      version "onetrue-awk $(original-awk --version | sed 's/.* //')"
      mkdir "$RECORD_WORLD/../one" && ln -s "$(command -v original-awk)" "$RECORD_WORLD/../one/nawk" && name=nawk path="$RECORD_WORLD/../one:$PATH" ;;
    awk)
      version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')" && path="$bb:$PATH" ;;
  esac
  PATH="$path" record $name '{print $1}' f
  PATH="$path" record $name '{print $1}' nofile
  PATH="$path" record $name '{print $1}' f nofile
  PATH="$path" record $name '{print $1' f
  PATH="$path" record $name '{print $1 +* 2}' f
  PATH="$path" record $name '/a(/' f
  PATH="$path" record $name 'BEGIN {print 1/0}'
  PATH="$path" record $name 'BEGIN {nosuch(1)}'
  PATH="$path" record $name -f nofile f
  PATH="$path" record $name 'END {exit NR > 1}' f
  PATH="$path" record $name '{print > "nodir/x"}' f
done
version "GNU awk $(gawk --version | sed -n '1s/GNU Awk \([0-9.]*\).*/\1/p')"
record gawk
record gawk --nosuch 'BEGIN {}'
record gawk '{print}' d
record gawk 'BEGIN {while (("nosuchprogram" | getline line) > 0) print line}'
record gawk 'BEGIN {exit 3}'

needs ls busybox
other_tools ls
version "GNU coreutils $(cp --version | sed -n '1s/.* //p')"
touch a "no such file" && mkdir -p d/sub && touch d/x
record ls
record ls nofile
record ls a nofile
record ls -la nofile
record ls nofile nofile2
record ls --nosuch
record ls -Y
record ls --color=nosuch
record ls --sort=nosuch
record ls a/
record ls -1 d
touch -d '2024-01-02 03:04' d/x && record ls -l d/x
record ls a nofile d
if root; then
  mkdir closed && touch closed/x && chmod 700 closed && mkdir odd && touch odd/x && chmod 744 odd
  PATH="$nobody:$PATH" record ls closed
  PATH="$nobody:$PATH" record ls a closed
  PATH="$nobody:$PATH" record ls -l odd
  PATH="$nobody:$PATH" record ls -R d closed
fi
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record ls nofile
PATH="$bb:$PATH" record ls a nofile
PATH="$bb:$PATH" record ls --nosuch

needs xargs busybox
other_tools xargs
version "GNU findutils $(xargs --version | sed -n '1s/.* //p')"
echo x >a && echo y >b
record --stdin xargs echo <<<'a b'
record --stdin xargs nosuchprogram <<<'a b'
record --stdin xargs cat <<<'a nofile'
record --stdin xargs -n1 cat <<<'a nofile b'
record --stdin xargs cat <<<'nofile'
record --stdin xargs false <<<'a'
record --stdin xargs sh -c 'exit 255' <<<'a'
record --stdin xargs sh -c 'kill -9 $$' <<<'a'
record --stdin xargs ./a <<<'b'
record --stdin xargs echo <<<"it's"
record --stdin xargs --nosuch <<<'a'
record --stdin xargs -n x echo <<<'a'
record --stdin xargs -P x echo <<<'a'
record --stdin xargs -a nofile echo <<<'a'
record --stdin xargs -I <<<'a'
record --stdin xargs -s 5 echo <<<'a long line of words'
record --stdin xargs grep zzz <<<'a b'
record --stdin xargs -I{} cp {} nodir/ <<<'a'
record --stdin xargs -r rm <<<''
version "$(busybox | sed -n '1s/ v\([0-9.]*\).*/ \1/p')"
PATH="$bb:$PATH" record --stdin xargs nosuchprogram <<<'a b'
PATH="$bb:$PATH" record --stdin xargs false <<<'a'
PATH="$bb:$PATH" record --stdin xargs sh -c 'exit 255' <<<'a'
PATH="$bb:$PATH" record --stdin xargs echo <<<"it's"
PATH="$bb:$PATH" record --stdin xargs --nosuch <<<'a'

needs javac setpriv
version "javac $(javac -version 2>&1 | sed 's/javac //')"
say Ok.java 'public class Ok { }'
say Syntax.java 'public class Syntax { int x = 1 }'
say Symbol.java 'public class Symbol { NotFound x; }'
say Import.java 'import com.example.missing.Thing; public class Import { }'
say Types.java 'public class Types { int x = "connection refused"; }'
say Name.java 'public class Other { }'
say Warn.java 'import java.util.*; public class Warn { List x = new ArrayList(); { x.add(1); } }'
say Duplicate.java 'class Duplicate { } class Duplicate { }'
say Throws.java 'public class Throws { void f() { throw new Exception("permission denied"); } }'
record javac Ok.java
record javac Nope.java
record javac
record javac Syntax.java
record javac Symbol.java
record javac Import.java
record javac Types.java
record javac Name.java
record javac -Xlint Warn.java
record javac -Xlint -Werror Warn.java
record javac Duplicate.java
record javac Throws.java
record javac Ok.java Syntax.java
record javac --frobnicate Ok.java
record javac -source 99 Ok.java
record javac --release 99 Ok.java
record javac -d
record javac -cp /no/such.jar Ok.java
record javac @noargs
record javac -d /proc/x Ok.java
echo text >bad.jar
record javac -cp bad.jar Import.java
record javac -processor com.example.Missing Ok.java
mkdir readonly && mount -t tmpfs -o ro tmpfs readonly
record javac -d readonly Ok.java
umount readonly
mkdir small && mount -t tmpfs -o size=4k tmpfs small && head -c 4096 /dev/zero >small/fill 2>/dev/null
record javac -d small Ok.java
umount small
record javac -version

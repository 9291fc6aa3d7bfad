needs java javac jar
version "java $(java -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')"
http_server
export CLASSPATH=
unset CLASSPATH
class() { mkdir -p src; printf 'import java.io.*; import java.net.*; import java.net.http.*; import java.nio.file.*; import java.util.*; import java.util.concurrent.*;\npublic class %s { public static void main(String[] a) throws Throwable { %s } }\n' "$1" "$2" >"src/$1.java"; javac -nowarn -d . "src/$1.java" || exit 1; }
class Ok 'System.out.println("ok");'
record java Ok
record java NoSuchClass
record java -jar nope.jar
record java -cp nowhere Ok
echo text >bad.jar
record java -jar bad.jar
jar cf nomain.jar Ok.class
record java -jar nomain.jar
printf 'public class NoMain { }' >src/NoMain.java; javac -d . src/NoMain.java
record java NoMain
class Helper 'System.out.println();'
printf 'public class Uses { public static void main(String[] a) { new Helper(); } }' >src/Uses.java; javac -cp . -d . src/Uses.java; rm Helper.class
record java Uses
class NotThere 'Class.forName("com.example.Driver");'
record java NotThere
class ReadFile 'new FileInputStream("/no/such/data.csv");'
record java ReadFile
class ReadNio 'Files.readString(Path.of("/no/such/data.csv"));'
record java ReadNio
class MakeTwice 'Files.createDirectory(Path.of("made")); Files.createDirectory(Path.of("made"));'
record java MakeTwice
class Refused "new Socket(\"127.0.0.1\", ${CLOSED##*:});"
record java Refused
class RefusedHttp "HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(\"http://$CLOSED/\")).build(), HttpResponse.BodyHandlers.ofString());"
record java RefusedHttp
class Host 'new Socket("no-such-host.invalid", 80);'
record java Host
class Slow "Socket s = new Socket(); s.connect(new InetSocketAddress(\"127.0.0.1\", ${SILENT##*:})); s.setSoTimeout(200); s.getInputStream().read();"
record java Slow
class Tls "new URL(\"$HTTPS/\").openStream();"
record java Tls
for status in 401 403 404 500 503; do
  class "Http$status" "new URL(\"$HTTP/$status\").openStream();"
  record java "Http$status"
done
class Port 'ServerSocket one = new ServerSocket(0); new ServerSocket(one.getLocalPort());'
record java Port
class NullPointer 'String s = null; s.length();'
record java NullPointer
class Index 'int[] x = new int[1]; x[5] = 1;'
record java Index
class Cast 'Object o = "permission denied"; Integer i = (Integer) o;'
record java Cast
class Number 'Integer.parseInt("abc");'
record java Number
class Illegal 'throw new IllegalStateException("something is odd");'
record java Illegal
class Wrapped 'try { new FileInputStream("/no/such"); } catch (IOException e) { throw new RuntimeException("could not start", e); }'
record java Wrapped
class Deep 'f(); } static void f() { f();'
record java Deep
class Memory 'List<byte[]> l = new ArrayList<>(); for (;;) l.add(new byte[10000000]);'
record java -Xmx16m Memory
class Exit 'System.exit(3);'
record java Exit
class Program 'new ProcessBuilder("no-such-program-x").start();'
record java Program
class Denied 'Files.writeString(Path.of("/proc/version"), "x");'
record java Denied
class Log 'System.err.println("ERROR: connection refused, going on"); Object o = null; o.hashCode();'
record java Log
class Assert 'assert 1 == 2 : "connection refused";'
record java -ea Assert
class Input 'new Scanner(System.in).nextLine();'
record java Input
class Thread2 'new Thread(() -> { throw new RuntimeException("in a thread"); }).start();'
record java Thread2
"$RECORD_PYTHON" - <<'PYTHON'
data = bytearray(open("Ok.class", "rb").read()); data[7] = 99; open("New.class", "wb").write(data)
PYTHON
mkdir newer; mv New.class newer/Ok.class
record java -cp newer Ok
mkdir corrupt; head -c 50 Ok.class >corrupt/Ok.class
record java -cp corrupt Ok
record java --frobnicate Ok
record java -Xmx9999999g Ok
record java -Xfrob Ok
record java -Xmx Ok
record java
record java src/Nope.java
printf 'public class Broken { int x = }' >Broken.java
record java Broken.java
record java --module no.such.module
record java -javaagent:nope.jar Ok
record java -version

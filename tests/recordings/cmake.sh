needs cmake ninja make gcc pkg-config
version "CMake $(cmake --version | sed -n '1s/cmake version //p')"
http_server
unset CMAKE_GENERATOR CC CXX
top="$PWD"

# project NAME: a folder with a CMakeLists.txt from standard input and one source file
project() {
  mkdir -p "$top/$1" && cd "$top/$1" && echo 'int main(void) { return 0; }' >main.c && cat >CMakeLists.txt
}
head='cmake_minimum_required(VERSION 3.10)
project(demo C)'

# Success, and what is asked of cmake itself
project good <<CMAKE
$head
add_executable(demo main.c)
install(TARGETS demo DESTINATION bin)
CMAKE
record cmake -S . -B early
record cmake --install early --prefix inst
record cmake --build early
record cmake --install early --prefix inst
record cmake --build early --target nosuch
record cmake --build nowhere
mkdir empty
record cmake --build empty
record cmake --install nowhere
record cmake -S . -B early -G Ninja
record cmake -S nowhere -B b
record cmake empty
record cmake -B b2 -G Frobnicate
record cmake --frobnicate
record cmake -B
record cmake
record cmake -DFOO
record cmake --build early --frobnicate
record cmake -S . -B b3 -DCMAKE_C_COMPILER=nosuch-cc
record cmake -S . -B b4 -DCMAKE_TOOLCHAIN_FILE=nowhere.cmake
record cmake -S . -B b5 -G Ninja -DCMAKE_MAKE_PROGRAM=/nowhere/ninja
record cmake --preset dev
cat >CMakePresets.json <<'JSON'
{"version": 3, "configurePresets": [{"name": "dev", "displayName": "Development", "generator": "Ninja", "binaryDir": "out"}]}
JSON
record cmake --preset nosuch
record cmake --list-presets
record cmake --preset dev
record cmake --build out --target nosuch
record cmake --build --preset nosuch
echo '{"version": 3,' >CMakePresets.json
record cmake --preset dev
echo '{"version": 99}' >CMakePresets.json
record cmake --preset dev
rm CMakePresets.json
cp -r early moved
record cmake --build moved
mkdir other && printf '%s\n' "$head" >other/CMakeLists.txt
record cmake -S other -B early
record cmake -N -LA early/nothing-here
record cmake -L -N early
record cmake --version

# Without a compiler, without make
mkdir "$top/bin" && for tool in cmake ninja; do ln -s "$(command -v $tool)" "$top/bin/$tool"; done
real="$(dirname "$(realpath "$(command -v cmake)")")"
fixed "$real" /usr/bin
(PATH="$top/bin"; export PATH; record cmake -S . -B c1 -G Ninja; record cmake -S . -B c2 -G 'Unix Makefiles')
mkdir "$top/cc" && printf '#!/bin/sh\nexit 1\n' >"$top/cc/cc" && chmod +x "$top/cc/cc"
record cmake -S . -B c3 "-DCMAKE_C_COMPILER=$top/cc/cc"

# Rights
mkdir -p "$top/user" && cp -r CMakeLists.txt main.c "$top/user" && chmod -R a+rX "$top" && chmod 755 "$RECORD_WORLD/.."
cat >"$top/cc/cmake" <<SH
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$(command -v cmake)" "\$@"
SH
chmod +x "$top/cc/cmake"
(cd "$top/user" && PATH="$top/cc:$PATH" && record cmake -S . -B build && record cmake --install "$top/good/early" --prefix /opt/nothing)

# Dependencies
project package <<CMAKE
$head
find_package(NoSuchThing REQUIRED)
CMAKE
record cmake -B b
project module <<CMAKE
$head
message(WARNING "Could not find doxygen, the documentation is left out")
find_package(GDAL REQUIRED)
CMAKE
record cmake -B b
project component <<CMAKE
$head
find_package(Python3 99 REQUIRED COMPONENTS Interpreter)
CMAKE
record cmake -B b
project unsuitable <<CMAKE
$head
file(WRITE \${CMAKE_BINARY_DIR}/Thing/ThingConfig.cmake "")
file(WRITE \${CMAKE_BINARY_DIR}/Thing/ThingConfigVersion.cmake "set(PACKAGE_VERSION 1.2)")
find_package(Thing 2.0 REQUIRED PATHS \${CMAKE_BINARY_DIR}/Thing)
CMAKE
record cmake -B b
project pkgconfig <<CMAKE
$head
find_package(PkgConfig REQUIRED)
pkg_check_modules(NOTHING REQUIRED nosuchlib>=1.0)
CMAKE
record cmake -B b
project notfound <<CMAKE
$head
find_library(NOTHING_LIB nosuchlib)
add_executable(demo main.c)
target_link_libraries(demo \${NOTHING_LIB})
CMAKE
record cmake -B b
project required <<CMAKE
$head
find_program(NOTHING_TOOL nosuchtool REQUIRED)
CMAKE
record cmake -B b
project target <<CMAKE
$head
add_executable(demo main.c)
target_link_libraries(demo Nothing::Nothing)
CMAKE
record cmake -B b
project newer <<'CMAKE'
cmake_minimum_required(VERSION 99.0)
project(demo C)
CMAKE
record cmake -B b
project older <<'CMAKE'
cmake_minimum_required(VERSION 3.1)
project(demo C)
CMAKE
record cmake -B b
project standard <<CMAKE
$head
add_executable(demo main.c)
target_compile_features(demo PRIVATE c_std_99 cxx_std_98)
CMAKE
record cmake -B b

# The files of the project
project syntax <<CMAKE
$head
add_executable(demo main.c
CMAKE
record cmake -B b
project command <<CMAKE
$head
add_executible(demo main.c)
CMAKE
record cmake -B b
project arguments <<CMAKE
$head
target_link_libraries(nothing m)
CMAKE
record cmake -B b
project source <<CMAKE
$head
add_executable(demo main.c absent.c)
CMAKE
record cmake -B b
project subfolder <<CMAKE
$head
add_subdirectory(third_party/lib)
CMAKE
record cmake -B b
mkdir -p third_party/lib
record cmake -B b1
project include <<CMAKE
$head
include(NoSuchModule)
CMAKE
record cmake -B b
project twice <<CMAKE
$head
add_executable(demo main.c)
add_executable(demo main.c)
CMAKE
record cmake -B b
project insource <<CMAKE
$head
message(FATAL_ERROR "In-source builds are not allowed. Make a folder called build and run cmake there.")
CMAKE
record cmake .
project fatal <<CMAKE
$head
message(FATAL_ERROR "The demo cannot go on.")
CMAKE
record cmake -B b
project unset <<CMAKE
$head
if(NOT DEMO_SDK)
  message(FATAL_ERROR "DEMO_SDK is not set; give it with -DDEMO_SDK=/path")
endif()
CMAKE
record cmake -B b
project nested <<CMAKE
$head
if(TRUE)
  add_executable(demo main.c)
CMAKE
record cmake -B b
project count <<CMAKE
$head
set_property(TARGET demo)
configure_file(absent.h.in out.h)
CMAKE
record cmake -B b
project configure <<CMAKE
$head
configure_file(absent.h.in out.h)
CMAKE
record cmake -B b
project tryrun <<'CMAKE'
cmake_minimum_required(VERSION 3.10)
set(CMAKE_SYSTEM_NAME Linux)
project(demo C)
try_run(RAN COMPILED ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/main.c)
CMAKE
record cmake -B b
project python <<CMAKE
$head
find_package(Python3 3.99 REQUIRED COMPONENTS Interpreter)
CMAKE
record cmake -B b
project linker <<CMAKE
$head
add_library(demo STATIC notes.txt)
CMAKE
echo notes >notes.txt
record cmake -B b

# Downloads
download() {
  project "get-$1" <<CMAKE
$head
include(FetchContent)
FetchContent_Declare(thing URL $2 $3)
FetchContent_MakeAvailable(thing)
CMAKE
  record cmake -B b
}
echo text >"$RECORD_WORLD/../http/root/thing.tar.gz"
download absent "$HTTP/404/thing.tar.gz"
download forbidden "$HTTP/403/thing.tar.gz"
download certificate "$HTTPS/thing.tar.gz" 'TLS_VERIFY ON'
download hash "$HTTP/thing.tar.gz" 'URL_HASH SHA256=0000000000000000000000000000000000000000000000000000000000000000'
download archive "$HTTP/thing.tar.gz"
project get-git <<CMAKE
$head
include(FetchContent)
FetchContent_Declare(thing GIT_REPOSITORY http://$CLOSED/thing.git GIT_TAG main)
FetchContent_MakeAvailable(thing)
CMAKE
record cmake -B b
# file() gives up at once, where FetchContent waits and tries again
transfer() {
  project "file-$1" <<CMAKE
$head
file(DOWNLOAD $2 thing.txt TIMEOUT 2 STATUS status)
list(GET status 0 code)
if(code)
  message(FATAL_ERROR "Failed to download thing.txt: \${status}")
endif()
CMAKE
  record cmake -B b
}
transfer refused "http://$CLOSED/thing.txt"
transfer name http://host.example.invalid/thing.txt
transfer slow "http://$SILENT/thing.txt"
transfer absent "$HTTP/404"

# Builds
project broken <<CMAKE
$head
add_executable(demo main.c)
enable_testing()
add_test(NAME one COMMAND false)
add_test(NAME two COMMAND true)
CMAKE
cmake -S . -B mk >/dev/null && cmake -S . -B nj -G Ninja >/dev/null
cmake --build mk >/dev/null
record cmake --build mk --target test
cmake --build nj >/dev/null
record cmake --build nj --target test
echo 'int main(void) { return x; }' >main.c
record cmake --build mk
record cmake --build nj
echo 'int f(void); int main(void) { return f(); }' >main.c
record cmake --build mk
record cmake --build nj
echo '#include <nosuch/thing.h>' >main.c
record cmake --build nj
echo 'int main(void) { return 0; }' >main.c
rm main.c
record cmake --build mk
record cmake --build nj
echo 'int main(void) { return 0; }' >main.c
echo 'find_package(NoSuchThing REQUIRED)' >>CMakeLists.txt
record cmake --build nj
project several <<CMAKE
$head
add_executable(bad bad.c)
add_executable(demo main.c)
CMAKE
echo 'int main(void) { return x; }' >bad.c
cmake -S . -B mk >/dev/null && cmake -S . -B nj -G Ninja >/dev/null
record cmake --build mk -- -k
record cmake --build nj -j1 -- -k 0
project library <<CMAKE
$head
add_executable(demo main.c)
target_link_libraries(demo nosuchlib)
CMAKE
cmake -S . -B mk >/dev/null
record cmake --build mk
project custom <<CMAKE
$head
add_custom_target(tool COMMAND nosuch-generator --all)
add_custom_target(fails COMMAND false)
CMAKE
cmake -S . -B mk >/dev/null && cmake -S . -B nj -G Ninja >/dev/null
record cmake --build mk --target tool
record cmake --build nj --target tool
record cmake --build nj --target fails

# Scripts and the small tools
cd "$top/good"
record cmake -P nowhere.cmake
echo 'message(FATAL_ERROR "stop here")' >stop.cmake
record cmake -P stop.cmake
echo 'file(READ nowhere.txt text)' >read.cmake
record cmake -P read.cmake
echo one >one.txt; echo two >two.txt; cp one.txt same.txt
record cmake -E compare_files one.txt two.txt
record cmake -E compare_files one.txt same.txt
record cmake -E compare_files one.txt nowhere.txt
record cmake -E copy nowhere.txt there.txt
record cmake -E copy one.txt nofolder/deep/x/
record cmake -E copy_directory nowhere there
record cmake -E rename nowhere.txt there.txt
record cmake -E rm nowhere.txt
record cmake -E tar xf nowhere.tar
record cmake -E tar xf one.txt
record cmake -E cat nowhere.txt
record cmake -E sha256sum nowhere.txt
record cmake -E sha256sum one.txt two.txt
record cmake -E make_directory /proc/nothing
record cmake -E env A=1 nosuch-program
record cmake -E frobnicate
record cmake -E capabilities
record cmake --build out --target demoo

# What projects say themselves
says() {
  project "says-$1" <<CMAKE
$head
$2
CMAKE
  record cmake -B b
}
says library 'message(FATAL_ERROR "libdemo not found, install its development package")'
says program 'message(FATAL_ERROR "Could not find doxygen")'
says file 'message(FATAL_ERROR "Could not find the file /tmp/nothing/demo.conf")'
says setting 'message(FATAL_ERROR "Please set DEMO_SDK to the path of the SDK")'
says signature 'add_executable(demo main.c)
target_link_libraries(demo m)
target_link_libraries(demo PRIVATE m)'
says properties 'set_target_properties(nothing PROPERTIES OUTPUT_NAME demo)'
says refused 'file(WRITE ${CMAKE_BINARY_DIR}/Thing/ThingConfig.cmake "set(Thing_FOUND FALSE)\nset(Thing_NOT_FOUND_MESSAGE \"the part web is missing\")")
find_package(Thing REQUIRED PATHS ${CMAKE_BINARY_DIR}/Thing)'
cd "$top/good"
record cmake -B b6 -A x64

# Third-party libraries, all from Debian packages; each is linked by the one module that may see it.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(doctest REQUIRED)
pkg_check_modules(SERIALPORT REQUIRED IMPORTED_TARGET libserialport)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(UV REQUIRED IMPORTED_TARGET libuv)
pkg_check_modules(GPIOD REQUIRED IMPORTED_TARGET libgpiod)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(SSL REQUIRED IMPORTED_TARGET libssl)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
# Of libcurl the headers alone: the gate loads it when it has a webhook (docs/decisions/0043-webhooks.md).
pkg_check_modules(CURL REQUIRED libcurl>=7.87)
# The same with libpq (docs/decisions/0050-postgresql-of-a-fleet.md).
pkg_check_modules(POSTGRESQL REQUIRED libpq>=15)

# llhttp has no library package: Debian's node-llhttp ships its C files, which become a static library of ours.
# tools/build unpacks that package below build/third_party when it is not installed.
find_path(LLHTTP_SOURCE_DIR llhttp.c REQUIRED
    PATHS /usr/share/llhttp ${CMAKE_SOURCE_DIR}/build/third_party/node-llhttp/usr/share/llhttp
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
find_path(LLHTTP_INCLUDE_DIR llhttp.h REQUIRED
    PATHS /usr/share/include/llhttp ${CMAKE_SOURCE_DIR}/build/third_party/node-llhttp/usr/share/include/llhttp
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
add_library(smsrack_llhttp STATIC
    ${LLHTTP_SOURCE_DIR}/llhttp.c ${LLHTTP_SOURCE_DIR}/api.c ${LLHTTP_SOURCE_DIR}/http.c)
target_include_directories(smsrack_llhttp SYSTEM PUBLIC ${LLHTTP_INCLUDE_DIR})
target_compile_options(smsrack_llhttp PRIVATE -w)
# The loose machine of llhttp 8 takes any octet for the end of a chunk line; never use it.
target_compile_definitions(smsrack_llhttp PUBLIC LLHTTP_STRICT_MODE=1)

# Settings of every target: language, warnings, sanitizers, where programs go.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# Checks stay on in what is shipped: no -DNDEBUG.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1")

option(SMSRACK_WERROR "Warnings are errors" ON)
option(SMSRACK_PRECOMPILE "The standard library's headers are parsed once for all sources" OFF)
set(SMSRACK_SANITIZE "" CACHE STRING "value of -fsanitize=, or empty")

add_library(smsrack_options INTERFACE)
target_include_directories(smsrack_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(smsrack_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${SMSRACK_WERROR}>>:-Werror>)
if(SMSRACK_SANITIZE)
    add_compile_options(-fsanitize=${SMSRACK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SMSRACK_SANITIZE})
    # GCC 12 reports false positives of these two under the sanitizers (GCC bug 105562).
    target_compile_options(smsrack_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized -Wno-restrict>)
endif()
# The same source gives the same binary in any folder.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)

# With SMSRACK_PRECOMPILE: toolchain/precompiled.hpp, compiled once, stands before each source of the targets that ask for it.
# For builds of everything from nothing. The release build does without, so that a missing #include is seen there.
if(SMSRACK_PRECOMPILE)
    add_compile_options(-fpch-preprocess)  # ccache needs it
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
    add_library(smsrack_precompiled OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(smsrack_precompiled PRIVATE smsrack_options fmt::fmt)
    target_precompile_headers(smsrack_precompiled PRIVATE ${CMAKE_SOURCE_DIR}/toolchain/precompiled.hpp)
endif()
function(smsrack_reuse_precompiled target)
    if(SMSRACK_PRECOMPILE)
        target_precompile_headers(${target} REUSE_FROM smsrack_precompiled)
    endif()
endfunction()

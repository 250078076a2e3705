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
set(SMSRACK_UNITE 0 CACHE STRING "Sources that do not disturb each other are compiled as one, up to this many octets; 0: each alone")
option(SMSRACK_FUZZ "A libFuzzer program for each file of tests/fuzz; needs clang" OFF)
set(SMSRACK_SANITIZE "" CACHE STRING "value of -fsanitize=, or empty")

add_library(smsrack_options INTERFACE)
target_include_directories(smsrack_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(smsrack_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast>
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${SMSRACK_WERROR}>>:-Werror>)
# Compiled as one (smsrack_unite): a name of one source may be that of a local in another, and what is in a source looks as if it were in a
# header. house.alone holds each to both by itself.
target_compile_options(smsrack_options INTERFACE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wno-shadow -Wno-subobject-linkage>)
if(SMSRACK_SANITIZE)
    add_compile_options(-fsanitize=${SMSRACK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${SMSRACK_SANITIZE})
    # GCC 12 reports false positives of these two under the sanitizers (GCC bug 105562).
    target_compile_options(smsrack_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized -Wno-restrict>)
endif()
if(SMSRACK_FUZZ)
    # Its own warnings do not count: g++ decides.
    add_compile_options(-fsanitize=fuzzer-no-link -w)
endif()
# What nothing refers to is not linked. (The sanitizers have tables of their own.)
if(NOT SMSRACK_SANITIZE)
    add_compile_options(-ffunction-sections -fdata-sections)
    add_link_options(-Wl,--gc-sections)
    # Nor is a shared library that a program uses nothing of loaded with it.
    add_link_options(-Wl,--as-needed)
endif()
# The same source gives the same binary in any folder.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)

# smsrack_small(TARGET): what waits for disk, line or client, so that its pages cost more than its instructions: decision 0029, with the figures. What
#   counts octets or hashes has -O2.
function(smsrack_small target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-Os>)
    set_target_properties(${target} PROPERTIES SMSRACK_SMALL ON)
endfunction()

# With SMSRACK_PRECOMPILE: toolchain/precompiled.hpp, compiled once, comes before each source of the targets that ask for it.
# A missing #include is seen by house.alone, which does without.
if(SMSRACK_PRECOMPILE)
    add_compile_options(-fpch-preprocess)  # ccache needs it
    add_compile_options(--param=ggc-min-heapsize=524288)  # KiB: a source rarely needs more, and what collects nothing is a twentieth sooner
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "")
    foreach(kind precompiled precompiled_small)
        add_library(smsrack_${kind} OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
        target_link_libraries(smsrack_${kind} PRIVATE smsrack_options fmt::fmt)
        target_precompile_headers(smsrack_${kind} PRIVATE ${CMAKE_SOURCE_DIR}/toolchain/precompiled.hpp)
    endforeach()
    smsrack_small(smsrack_precompiled_small)
    # GCC 12 reports false positives of these in std::string where it was precompiled (GCC bugs 105329 and 105651). The builds without have them.
    target_compile_options(smsrack_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread>)
endif()
function(smsrack_reuse_precompiled target)
    if(SMSRACK_PRECOMPILE)
        get_target_property(is_small ${target} SMSRACK_SMALL)
        if(is_small)
            target_precompile_headers(${target} REUSE_FROM smsrack_precompiled_small)
        else()
            target_precompile_headers(${target} REUSE_FROM smsrack_precompiled)
        endif()
    endif()
endfunction()

# smsrack_cold(TARGET): what waits for others, or runs once. More than -O1 would only take longer to compile.
function(smsrack_cold target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
endfunction()

# smsrack_unite(TARGET [OCTETS]): its sources are compiled some at a time, up to SMSRACK_UNITE octets of them (or OCTETS), so that what they include
#   is parsed, and what they have in common is instantiated, once. tools/scripts/unity_groups says which ones may. More octets: sooner from nothing;
#   fewer: sooner after a change.
function(smsrack_unite target)
    set(most ${SMSRACK_UNITE} ${ARGN})
    list(GET most -1 most)
    if(NOT most)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    execute_process(COMMAND ${CMAKE_SOURCE_DIR}/tools/scripts/unity_groups --most ${most} ${sources}
        OUTPUT_VARIABLE rows COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[0-9]+:[^\n]+" rows "${rows}")
    foreach(row IN LISTS rows)
        string(REGEX MATCH "^([0-9]+):(.+)$" row "${row}")
        set_source_files_properties(${CMAKE_MATCH_2} PROPERTIES UNITY_GROUP ${CMAKE_MATCH_1})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

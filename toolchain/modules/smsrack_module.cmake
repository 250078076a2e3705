# smsrack_module(NAME [DEPENDS module ...] [LINKS target ...])
#   A static library smsrack::NAME of the *.cpp in the folder NAME; DEPENDS are our modules, LINKS third-party targets.
#   A folder of headers alone becomes an interface library.
function(smsrack_module name)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
    string(REPLACE "/" "_" target smsrack_${name})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
    list(TRANSFORM ARG_DEPENDS PREPEND smsrack::)
    if(sources)
        add_library(${target} STATIC ${sources})
        target_link_libraries(${target} PUBLIC smsrack_options ${ARG_DEPENDS} ${ARG_LINKS})
    else()
        add_library(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE smsrack_options ${ARG_DEPENDS} ${ARG_LINKS})
    endif()
    add_library(smsrack::${name} ALIAS ${target})
endfunction()

# smsrack_program(NAME FOLDER [DEPENDS module ...] [LINKS target ...]): an executable of the *.cpp in FOLDER.
function(smsrack_program name folder)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    if(NOT sources)
        return()
    endif()
    list(TRANSFORM ARG_DEPENDS PREPEND smsrack::)
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE smsrack_options ${ARG_DEPENDS} ${ARG_LINKS})
endfunction()

# What the sanitizer builds need: the programs of all unit tests.
add_custom_target(unit-tests)

# smsrack_tests(NAME FOLDER [DEPENDS module ...]): one doctest program of every *_test.cpp below FOLDER,
#   one ctest case with the label `unit`.
function(smsrack_tests name folder)
    cmake_parse_arguments(ARG "" "" "DEPENDS;LINKS" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*_test.cpp)
    if(NOT sources)
        return()
    endif()
    list(TRANSFORM ARG_DEPENDS PREPEND smsrack::)
    add_executable(${name} ${sources})
    target_link_libraries(${name} PRIVATE smsrack_options smsrack_test_main ${ARG_DEPENDS} ${ARG_LINKS})
    target_compile_definitions(${name} PRIVATE SMSRACK_GOLDEN_DIR="${CMAKE_SOURCE_DIR}/tests/golden")
    add_dependencies(unit-tests ${name})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

# The dashboard's page, which is inside the gate: bundled from firmware-host/gate/web by esbuild, packed, and compiled in.
option(SMSRACK_WEB "The gate has the dashboard's page; needs nodejs and npm" ON)

# smsrack_page(TARGET): adds the page to a target, or that there is none.
function(smsrack_page target)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
    set(embed ${CMAKE_SOURCE_DIR}/tools/scripts/embed_page)
    if(NOT SMSRACK_WEB)
        add_custom_command(OUTPUT ${source} DEPENDS ${embed} COMMAND ${embed} --none ${source} VERBATIM)
        target_sources(${target} PRIVATE ${source})
        return()
    endif()
    find_program(SMSRACK_NODE NAMES node nodejs NO_CMAKE_FIND_ROOT_PATH)
    find_program(SMSRACK_NPM npm NO_CMAKE_FIND_ROOT_PATH)
    if(NOT SMSRACK_NODE OR NOT SMSRACK_NPM)
        message(FATAL_ERROR "The dashboard's page needs node and npm: Debian's packages nodejs and npm, which tools/build installs. "
                            "-DSMSRACK_WEB=OFF builds the gate without the page.")
    endif()
    execute_process(COMMAND ${SMSRACK_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^v" "" version "${version}")
    if(version VERSION_LESS 18)    # package.json, "engines"
        message(FATAL_ERROR "The dashboard's page needs node 18 or later, and ${SMSRACK_NODE} is \"${version}\". Debian's package nodejs "
                            "is one; -DSMSRACK_NODE=PATH names another. -DSMSRACK_WEB=OFF builds the gate without the page.")
    endif()
    set(web ${CMAKE_SOURCE_DIR}/firmware-host/gate/web)
    set(out ${CMAKE_BINARY_DIR}/web)
    set(get ${CMAKE_SOURCE_DIR}/tools/scripts/get_page_packages)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${web}/src/*)
    add_custom_command(OUTPUT ${out}/packages.stamp DEPENDS ${web}/package.json ${web}/package-lock.json ${get}
        COMMAND ${get} ${web} ${out}
        COMMAND ${CMAKE_COMMAND} -E touch ${out}/packages.stamp
        COMMENT "Fetching the packages that bundle the dashboard's page" VERBATIM)
    add_custom_command(OUTPUT ${source} DEPENDS ${out}/packages.stamp ${web}/build.mjs ${web}/templates.mjs ${web}/words.mjs ${web}/index.html ${sources} ${embed}
        COMMAND ${CMAKE_COMMAND} -E env NODE_PATH=${out}/node_modules ${SMSRACK_NODE} ${web}/build.mjs ${out}/page
        COMMAND ${embed} --page ${out}/page ${source}
        COMMENT "Bundling the dashboard's page" VERBATIM)
    target_sources(${target} PRIVATE ${source})
endfunction()

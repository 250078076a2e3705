/// Runs the built smsrack through a shell, with both outputs separate and a given standard input.
#pragma once

#include "tests/support/process.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"

#include <fstream>
#include <string>

namespace smsrack::test {

struct ProgramRun {
    int code = -1;
    std::string out = {};
    std::string err = {};
};

/// `words`: as they are typed behind "smsrack"; `socket` goes into SMSRACK_SOCKET.
[[nodiscard]] inline ProgramRun run_smsrack(const std::string& words,
                                            const std::string& socket = "/nowhere.sock",
                                            const std::string& input = "") {
    const TempDir folder;
    const auto file = [&folder](const char* name) { return (folder.path() / name).string(); };
    std::ofstream(file("in"), std::ios::binary) << input;
    const std::string command = "SMSRACK_SOCKET='" + socket + "' exec " SMSRACK_RUN " <'" +
                                file("in") + "' >'" + file("out") + "' 2>'" + file("err") + "' " +
                                words;
    const Finished finished = run({.words = {"/bin/sh", "-c", command}});
    return {
        .code = finished.ending.code, .out = read_file(file("out")), .err = read_file(file("err"))};
}

}  // namespace smsrack::test

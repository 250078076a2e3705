#include "tools/pdu_json/line_filter.hpp"

#include "tests/support/read_file.hpp"
#include "tests/support/temp_dir.hpp"
#include "tools/pdu_json/line_codec.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace smsrack::tools {
namespace {

struct Ran {
    bool all_good = false;
    std::string output = {};
};

/// From file to file.
Ran filtered(LineWorker& worker, const std::string& input) {
    const test::TempDir dir;
    std::ofstream(dir.path() / "in", std::ios::binary) << input;
    const int in = ::open((dir.path() / "in").c_str(), O_RDONLY | O_CLOEXEC);
    const int out = ::open((dir.path() / "out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE((in >= 0 && out >= 0));
    const auto all_good = filter_lines(in, out, worker);
    REQUIRE(all_good.has_value());
    ::close(in);
    ::close(out);
    return {.all_good = *all_good, .output = test::read_file(dir.path() / "out")};
}

Ran decode(const std::string& input) {
    DecodeLines worker({});
    return filtered(worker, input);
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

const std::string hello = "0791947106004034040C9194712243658700004260502170548005E8329BFD06";

TEST_CASE("pdu decode: one line out for every line in, and it is known if any was bad") {
    struct Row {
        const char* so;
        std::string input;
        std::size_t lines;
        bool all_good;
    };
    for (const Row& row : {
             Row{"no input", "", 0, true},
             Row{"one line", hello + "\n", 1, true},
             Row{"the last line lacks its newline", hello + "\n" + hello, 2, true},
             Row{"CR LF", hello + "\r\n" + hello + "\r\n", 2, true},
             Row{"an empty line", hello + "\n\n" + hello + "\n", 3, false},
             Row{"a bad line first", "x\n" + hello, 2, false},
         }) {
        CAPTURE(std::string(row.so));
        const Ran ran = decode(row.input);
        CHECK(lines_in(ran.output) == row.lines);
        CHECK(ran.all_good == row.all_good);
    }
}

TEST_CASE("pdu decode: lines that span many blocks, in order") {
    std::string input;
    for (std::size_t i = 0; i < 3000; ++i) {
        input += hello + std::string(2 * (i % 500), 'A') + "\n";
    }
    const Ran ran = decode(input);
    CHECK(ran.all_good);
    REQUIRE(lines_in(ran.output) == 3000);
    std::size_t from = 0;
    for (std::size_t i = 0; i < 3000; ++i) {
        const std::size_t end = ran.output.find('\n', from);
        const std::string line = ran.output.substr(from, end - from);
        const std::string trailing =
            i % 500 == 0 ? "\"text\":\"hello\"}"
                         : "\"trailing\":\"" + std::string(2 * (i % 500), 'A') + "\"}";
        REQUIRE(line.ends_with(trailing));
        from = end + 1;
    }
}

TEST_CASE("pdu decode: a line above the bound is refused, and the next one is read") {
    const Ran ran = decode(std::string(line_octets_max + 2, 'A') + "\n" + hello + "\n");
    CHECK_FALSE(ran.all_good);
    REQUIRE(lines_in(ran.output) == 2);
    CHECK(ran.output.starts_with("{\"error\":{\"code\":\"too_long\""));
    CHECK(ran.output.find("\"text\":\"hello\"") != std::string::npos);
}

TEST_CASE("pdu decode: a person at the other end is answered line by line") {
    int in[2];
    int out[2];
    REQUIRE(::pipe2(in, O_CLOEXEC) == 0);
    REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    bool all_good = false;
    std::thread program([&] {
        DecodeLines worker({});
        all_good = filter_lines(in[0], out[1], worker).value_or(false);
    });
    const std::string half = hello.substr(0, 10);
    REQUIRE(::write(in[1], half.data(), half.size()) == 10);
    const std::string rest = hello.substr(10) + "\n";
    REQUIRE(::write(in[1], rest.data(), rest.size()) == static_cast<ssize_t>(rest.size()));
    std::string got;
    char c = 0;
    while (c != '\n' && ::read(out[0], &c, 1) == 1) {
        got += c;
    }
    CHECK(got.ends_with("\"text\":\"hello\"}\n"));
    ::close(in[1]);
    program.join();
    CHECK(all_good);
    for (const int fd : {in[0], out[0], out[1]}) {
        ::close(fd);
    }
}

TEST_CASE("pdu encode: requests from a file") {
    EncodeLines worker;
    const Ran ran = filtered(worker, "{\"to\":\"+491722345678\",\"text\":\"hello\"}\nnonsense\n");
    CHECK_FALSE(ran.all_good);
    CHECK(ran.output.starts_with(R"({"segments":[{"pdu":"0001000C91947122436587000005E8329BFD06",)"
                                 R"("tpdu_length":18}],"alphabet":"gsm7"})"));
    CHECK(lines_in(ran.output) == 2);
}

TEST_CASE("lines: what can't be read or written is said, with errno") {
    const test::TempDir dir;
    DecodeLines worker({});
    const int folder = ::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(folder >= 0);
    const auto unread = filter_lines(folder, -1, worker);
    REQUIRE_FALSE(unread.has_value());
    CHECK(unread.error().detail == EISDIR);
    ::close(folder);

    std::ofstream(dir.path() / "in") << hello << "\n";
    const int in = ::open((dir.path() / "in").c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(in >= 0);
    const auto unwritten = filter_lines(in, in, worker);
    REQUIRE_FALSE(unwritten.has_value());
    CHECK(unwritten.error().detail == EBADF);
    ::close(in);
}

}  // namespace
}  // namespace smsrack::tools

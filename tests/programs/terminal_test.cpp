// The first hour of an owner, at a terminal of 80 x 24: the real programs behind a real shell, and what its screen shows.
#include "tests/support/terminal.hpp"

#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

namespace {

using namespace std::chrono_literals;

std::vector<std::string> environment_of(const Rack& rack) {
    const std::string bin = std::filesystem::path(program("smsrack")).parent_path();
    const char* path = std::getenv("PATH");
    return {"SMSRACK_SOCKET=" + rack.socket().string(),
            "PATH=" + bin + ":" + (path == nullptr ? "/usr/bin:/bin" : path)};
}

/// To look at what a user would see: SMSRACK_SHOW_SCREENS=1.
void show(const Terminal& terminal) {
    if (std::getenv("SMSRACK_SHOW_SCREENS") != nullptr) {
        MESSAGE("\n" << terminal.screen().text());
    }
}

void check_tidy(const Terminal& terminal) {
    show(terminal);
    CAPTURE(terminal.screen().text());
    CHECK(terminal.screen().wraps() == 0);
    CHECK(terminal.screen().scrolls() == 0);
    CHECK(terminal.screen().unknown() == 0);
}

bool same_modes(const termios& one, const termios& other) {
    return one.c_lflag == other.c_lflag && one.c_iflag == other.c_iflag &&
           one.c_oflag == other.c_oflag && one.c_cc[VMIN] == other.c_cc[VMIN] &&
           one.c_cc[VTIME] == other.c_cc[VTIME];
}

/// As a shell leaves it to a program: no other screen, the cursor shown, keys echoed and taken by lines.
void check_left_as_it_was(const Terminal& terminal, const termios& before) {
    CAPTURE(terminal.screen().text());
    CHECK_FALSE(terminal.screen().other_screen());
    CHECK(terminal.screen().cursor_shown());
    CHECK(same_modes(terminal.modes(), before));
}

void write_messages(const std::filesystem::path& file, unsigned count) {
    std::ofstream csv(file);
    csv << "to,text,not_before\n";
    for (unsigned i = 0; i < count; ++i) {
        csv << fmt::format("+33{:09},one of many,2099-01-01T00:00:00Z\n", 600'000'000 + i);
    }
}

}  // namespace

TEST_CASE("the model of a screen sees what wraps, what scrolls away, and what it does not know") {
    ScreenModel screen(2, 4);
    screen.feed("abcd");
    CHECK(screen.wraps() == 0);
    screen.feed("e");
    CHECK(screen.wraps() == 1);
    CHECK(screen.lines() == std::vector<std::string>{"abcd", "e"});
    screen.feed("\r\nf");
    CHECK(screen.scrolls() == 1);
    screen.feed("\x1B[1;1H\x1B[K\x1B[31mg\x1B[0m");
    CHECK(screen.lines() == std::vector<std::string>{"g", "f"});
    CHECK(screen.colours() == 1);
    CHECK(screen.unknown() == 0);
    screen.feed("\x1B[5n");
    CHECK(screen.unknown() == 1);
}

TEST_CASE("at 80 x 24 no command wraps a line or lets one scroll away") {
    const Rack rack({.modems = 8});
    std::string id;
    for (unsigned i = 0; i < 60; ++i) {
        id = rack.submit({{"to", fmt::format("+336000011{:02}", i)}, {"text", "seen"}});
    }
    REQUIRE(rack.reaches(id, "delivered"));
    Terminal terminal(24, 80, environment_of(rack));
    for (const std::string& words :
         {std::string("modems"), std::string("messages"), std::string("messages --local"),
          std::string("status"), "explain " + id, std::string("scaling"), std::string("inbox"),
          std::string("batches"), std::string("clients"), std::string("triggers"),
          std::string("preview --to +33600001100 'How many segments are this?'"),
          std::string("messages --to 12ab"), std::string("messages --stat"),
          std::string("help modem drain")}) {
        CAPTURE(words);
        REQUIRE(terminal.command("smsrack " + words));
        check_tidy(terminal);
    }
    for (const std::string& words : {"show " + id, std::string("modem show m1")}) {  // all of it
        CAPTURE(words);
        REQUIRE(terminal.command("smsrack " + words));
        CHECK(terminal.screen().wraps() == 0);
        CHECK(terminal.screen().unknown() == 0);
    }
    REQUIRE(terminal.command("smsrack messages"));
    CHECK(terminal.screen().shows("ID"));  // the heading and the newest one are still to be seen
    CHECK(terminal.screen().shows(id + "  +336"));
    REQUIRE(terminal.command("smsrack modems"));
    CHECK(terminal.screen().shows("m7"));
    CHECK(terminal.screen().shows("--wide shows all"));
}

TEST_CASE("send --file shows its progress on one line, and Ctrl-C ends it with a prompt") {
    const Rack rack({.modems = 1});
    const auto file = rack.folder() / "many.csv";
    write_messages(file, 200'000);
    Terminal terminal(24, 80, environment_of(rack));
    const termios before = terminal.modes();
    terminal.begin("smsrack send --file " + file.string());
    REQUIRE(terminal.until([&] {
        return terminal.screen().shows("] ") && terminal.screen().shows(" accepted, 0 refused");
    }));
    show(terminal);
    terminal.type("\x03");
    REQUIRE(terminal.until_shown("interrupted"));
    REQUIRE(terminal.until_prompt());
    check_tidy(terminal);
    check_left_as_it_was(terminal, before);
    CHECK_FALSE(terminal.screen().shows("] "));  // the bar is gone
}

TEST_CASE("watch shows the rack, follows keys and sizes, and leaves the terminal as it was") {
    Rack rack({.modems = 8});
    const auto id = rack.submit({{"to", "+33600000501"}, {"text", "seen"}});
    REQUIRE(rack.reaches(id, "delivered"));
    Terminal terminal(24, 80, environment_of(rack));
    const termios before = terminal.modes();
    terminal.begin("smsrack watch --every 0.2");
    REQUIRE(terminal.until_shown("8 of 8 active"));
    CHECK(terminal.screen().other_screen());
    CHECK_FALSE(terminal.screen().cursor_shown());
    CHECK(terminal.screen().shows("delivered 1"));
    CHECK(terminal.screen().shows("m7 "));
    CHECK(terminal.screen().colours() > 0);
    check_tidy(terminal);

    terminal.type("2");
    REQUIRE(terminal.until_shown("+33600000501"));
    check_tidy(terminal);
    terminal.type("3");
    REQUIRE(terminal.until_shown("what is ahead of a new message"));
    check_tidy(terminal);
    terminal.type("?");
    REQUIRE(terminal.until_shown("scroll a row"));
    check_tidy(terminal);
    terminal.type("?1");
    REQUIRE(terminal.until_shown("8 of 8 active"));

    SUBCASE("a smaller and a larger window") {
        terminal.resize(12, 60);
        REQUIRE(terminal.until_shown("rows 1 to 7 of 8"));
        REQUIRE(
            terminal.until([&] { return terminal.screen().lines()[11].starts_with("q leave"); }));
        terminal.type("G\x1B[F");  // a letter without a meaning, and End
        REQUIRE(terminal.until_shown("m7 "));
        check_tidy(terminal);
        terminal.resize(40, 132);
        REQUIRE(terminal.until([&] {
            return terminal.screen().lines()[39].starts_with("q leave") &&
                   terminal.screen().shows("QUOTA LEFT");
        }));
        check_tidy(terminal);
        terminal.type("q");
        REQUIRE(terminal.until_prompt());
        check_left_as_it_was(terminal, before);
    }
    SUBCASE("the service restarts under it") {
        rack.kill_service();
        REQUIRE(terminal.until_shown("No answer; this is the state of"));
        CHECK(terminal.screen().shows("8 of 8 active"));  // the last picture stays
        check_tidy(terminal);
        rack.start_service();
        REQUIRE(terminal.until([&] { return !terminal.screen().shows("No answer"); }));
        REQUIRE(terminal.until_shown("8 of 8 active"));
        terminal.type("\x03");
        REQUIRE(terminal.until_prompt());
        check_left_as_it_was(terminal, before);
        REQUIRE(terminal.command("echo ended with $?"));
        CHECK(terminal.screen().shows("ended with 0"));
    }
    SUBCASE("Ctrl-Z gives the shell back, and fg resumes") {
        terminal.type("\x1A");
        REQUIRE(terminal.until_shown("Stopped"));
        REQUIRE(terminal.until_prompt());
        check_left_as_it_was(terminal, before);
        terminal.begin("fg");
        REQUIRE(terminal.until([&] { return terminal.screen().other_screen(); }));
        REQUIRE(terminal.until_shown("8 of 8 active"));
        check_tidy(terminal);
        terminal.type("q");
        REQUIRE(terminal.until_prompt());
        check_left_as_it_was(terminal, before);
    }
}

TEST_CASE("watch leaves the terminal as it was when it crashes or is ended") {
    const Rack rack({.modems = 1});
    Terminal terminal(24, 80, environment_of(rack));
    const termios before = terminal.modes();
    const auto pid_file = rack.folder() / "pid";
    const std::string line =
        fmt::format("bash -c 'ulimit -c 0; echo $$ > {}; exec smsrack watch'", pid_file.string());
    for (const int signal : {SIGSEGV, SIGABRT, SIGTERM, SIGHUP}) {
        CAPTURE(signal);
        terminal.begin(line);
        REQUIRE(terminal.until_shown("1 of 1 active"));
        const pid_t pid = std::stoi(read_file(pid_file));
        ::kill(pid, signal);
        REQUIRE(terminal.until_prompt());
        check_left_as_it_was(terminal, before);
    }
}

TEST_CASE("watch has no colours with NO_COLOR, and plain text where there is no terminal") {
    const Rack rack({.modems = 2});
    auto environment = environment_of(rack);
    environment.emplace_back("NO_COLOR=1");
    Terminal terminal(24, 80, environment);
    terminal.begin("smsrack watch");
    REQUIRE(terminal.until_shown("2 of 2 active"));
    CHECK(terminal.screen().colours() == 0);
    terminal.type("q");
    REQUIRE(terminal.until_prompt());

    const auto plain = rack.command({"watch", "--count", "2", "--every", "0.2"});
    CHECK(plain.ending.code == 0);
    CHECK(plain.output.contains("2 of 2 active"));
    CHECK_FALSE(plain.output.contains('\x1B'));
    const auto json = rack.command({"watch", "--count", "1", "--json"});
    const auto picture = wire::parse_json(json.output);
    REQUIRE(picture);
    CHECK(picture->at("modems").size() == 2);
}

}  // namespace smsrack::test

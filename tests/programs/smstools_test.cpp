/// smsd of smstools3 takes smsrack-sim for a modem: ten messages out, ten in. tools/test installs it;
/// without it this fails rather than skips.
#include "tests/support/process.hpp"
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <string>

using namespace smsrack;
using namespace std::chrono_literals;

namespace {

constexpr int messages = 10;

std::string number(int i) {
    return fmt::format("+336123456{:02}", i);
}

/// Its folders and its configuration; nothing of the machine's own smsd.
std::filesystem::path write_settings(const std::filesystem::path& folder,
                                     const std::filesystem::path& port) {
    std::string text;
    for (const char* name : {"outgoing", "checked", "incoming", "sent", "failed"}) {
        std::filesystem::create_directories(folder / name);
        text += fmt::format("{} = {}\n", name, (folder / name).string());
    }
    for (const char* name : {"logfile", "infofile", "pidfile"}) {
        text += fmt::format("{} = {}\n", name, (folder / name).string());
    }
    text += fmt::format(
        "devices = M0\ndelaytime = 1\ndelaytime_mainprocess = 1\n\n"
        "[M0]\ndevice = {}\nincoming = yes\nbaudrate = 115200\n",
        port.string());
    std::ofstream(folder / "smsd.conf") << text;
    return folder / "smsd.conf";
}

/// As it wants them: whole at once.
void hand_in(const std::filesystem::path& folder, int i) {
    std::ofstream(folder / "message")
        << fmt::format("To: {}\n\nhello {}\n", number(i).substr(1), i);
    std::filesystem::rename(folder / "message", folder / "outgoing" / fmt::to_string(i));
}

std::string whole_folder(const std::filesystem::path& folder) {
    std::string text;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        text += test::read_file(file.path());
    }
    return text;
}

}  // namespace

TEST_CASE("smsd of smstools sends ten messages through a simulated modem and receives ten") {
    const test::Rack rack({.modems = 1, .sim_options = {"--service-ms", "50", "--report-ms", "50"}},
                          false);
    const auto settings =
        write_settings(rack.folder() / "smsd", rack.folder() / "modems" / "modem0");
    const auto folder = settings.parent_path();
    for (int i = 0; i < messages; ++i) {
        hand_in(folder, i);
        rack.simulate({{"do", "inbound"}, {"text", fmt::format("answer <{}>", i)}});
    }
    test::Process smsd({.words = {"/usr/sbin/smsd", "-t", fmt::format("-c{}", settings.string())},
                        .output = folder / "output"});
    const auto all_in = [&] {
        const std::string texts = whole_folder(folder / "incoming");
        for (int i = 0; i < messages; ++i) {
            if (!texts.contains(fmt::format("answer <{}>", i))) {
                return false;
            }
        }
        return true;
    };
    const bool done = test::wait_for(
        50s, [&] { return !smsd.running() || (rack.submits().size() >= messages && all_in()); });
    CAPTURE(test::read_file(folder / "output"));
    CAPTURE(test::read_file(folder / "logfile"));
    REQUIRE(done);
    REQUIRE(smsd.running());
    smsd.signal(SIGTERM);
    CHECK(smsd.wait(20s));
    std::set<std::string> reached;
    for (const test::Submit& submit : rack.submits()) {
        reached.insert(submit.to);
    }
    CHECK(rack.submits().size() == messages);
    CHECK(reached.size() == messages);
    CHECK(whole_folder(folder / "failed").empty());
}

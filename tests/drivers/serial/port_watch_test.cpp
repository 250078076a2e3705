#include "drivers/serial/port_watch.hpp"

#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <poll.h>

using namespace smsrack;
using namespace smsrack::serial;
using Places = std::vector<std::size_t>;

namespace {

/// What wakes a thread that sleeps on the watch; inotify reports at once. Nullopt if it would sleep
/// on.
Places told(PortWatch& watch) {
    pollfd fd{.fd = watch.fd(), .events = POLLIN, .revents = 0};
    return ::poll(&fd, 1, 0) > 0 ? watch.changed() : Places{};
}

}  // namespace

TEST_CASE("PortWatch: the link of a port is seen when it comes, and whose it is") {
    const test::TempDir dir;
    const std::string folder = dir.path().string();
    auto watch = PortWatch::make({folder + "/m0", folder + "/m1"});
    REQUIRE(watch);
    CHECK(told(**watch).empty());
    std::filesystem::create_symlink("/dev/null", folder + "/m1");
    CHECK(told(**watch) == Places{1});
    CHECK(told(**watch).empty());
    std::filesystem::create_symlink("/dev/null", folder + "/other");
    CHECK(told(**watch).empty());
    std::filesystem::create_symlink("/dev/null", folder + "/new");
    std::filesystem::rename(folder + "/new", folder + "/m0");
    CHECK(told(**watch) == Places{0});
}

TEST_CASE("PortWatch: a folder that comes late, goes and comes again is followed") {
    const test::TempDir dir;
    const std::filesystem::path by_path = dir.path() / "serial/by-path";
    auto watch = PortWatch::make({(by_path / "m0").string()});
    REQUIRE(watch);
    for (int round = 0; round < 3; ++round) {
        CAPTURE(round);
        std::filesystem::create_directory(dir.path() / "serial");
        CHECK(told(**watch) == Places{0});
        std::filesystem::create_directory(by_path);
        CHECK(told(**watch) == Places{0});
        std::filesystem::create_symlink("/dev/null", by_path / "m0");
        CHECK(told(**watch) == Places{0});
        std::filesystem::remove_all(dir.path() / "serial");
        (void)told(**watch);
    }
}

TEST_CASE("PortWatch: both at once: a folder and its link made before anybody looks") {
    const test::TempDir dir;
    auto watch = PortWatch::make({(dir.path() / "late/m0").string()});
    REQUIRE(watch);
    std::filesystem::create_directory(dir.path() / "late");
    std::filesystem::create_symlink("/dev/null", dir.path() / "late/m0");
    CHECK(told(**watch) == Places{0});
    std::filesystem::remove(dir.path() / "late/m0");
    std::filesystem::create_symlink("/dev/null", dir.path() / "late/m0");
    CHECK(told(**watch) == Places{0});
}

TEST_CASE("uevents: only serial ports that appear are reported") {
    using namespace std::string_view_literals;
    struct Row {
        std::string_view event;
        bool is_new;
    };
    for (const Row& row : {
             Row{"add@/devices/x/ttyUSB0\0ACTION=add\0SUBSYSTEM=tty\0DEVNAME=ttyUSB0\0"sv, true},
             Row{"change@/devices/x/ttyS0\0SUBSYSTEM=tty\0ACTION=change"sv, true},
             Row{"remove@/devices/x/ttyUSB0\0ACTION=remove\0SUBSYSTEM=tty\0"sv, false},
             Row{"add@/devices/x/sda\0ACTION=add\0SUBSYSTEM=block\0"sv, false},
             Row{"add@/devices/x/ttyUSB0\0ACTION=added\0SUBSYSTEM=ttyprintk\0"sv, false},
             Row{"\0\0\0"sv, false},
             Row{""sv, false},
         }) {
        CAPTURE(std::string(row.event));
        CHECK(is_new_tty(row.event) == row.is_new);
    }
}

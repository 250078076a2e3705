// The pools of threads are as large as configured, in the real program.
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;

/// Threads of the service that have this name now.
int threads_named(Rack& rack, std::string_view name) {
    int count = 0;
    std::error_code gone;
    const auto tasks = fmt::format("/proc/{}/task", rack.service().pid());
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::string comm;
        std::getline(std::ifstream(task.path() / "comm"), comm);
        count += comm == name ? 1 : 0;
    }
    return count;
}

/// Clients that read all the time, for as long as the object exists.
class Readers {
public:
    explicit Readers(const Rack& rack) {
        for (int i = 0; i < 8; ++i) {
            threads_.emplace_back([&rack](const std::stop_token& stop) {
                while (!stop.stop_requested()) {
                    try {
                        (void)rack.http("GET", "/v1/messages?limit=200");
                    } catch (const std::runtime_error&) {  // a reload closes what is idle
                    }
                }
            });
        }
    }

private:
    std::vector<std::jthread> threads_;
};

}  // namespace

TEST_CASE("pools: readers and codec threads are as many as configured, also after a reload") {
    Rack rack({.modems = 2, .config = "readers = 1\ncodec_threads = 1\n"});
    std::string last;
    for (int i = 0; i < 100; ++i) {
        last = rack.submit({{"to", fmt::format("+336123456{:02}", i)}, {"text", "pools"}});
    }
    const Readers readers(rack);
    int most_readers = 0;
    int most_codecs = 0;
    CHECK(wait_for(20s, [&] {
        most_readers = std::max(most_readers, threads_named(rack, "store-r"));
        most_codecs = std::max(most_codecs, threads_named(rack, "codec"));
        return rack.message(last).at("state") == "delivered";
    }));
    CHECK(most_readers == 1);
    CHECK(most_codecs == 1);

    std::string config = read_file(rack.config_file());
    const std::string_view before = "readers = 1\n";
    config.replace(config.find(before), before.size(), "readers = 6\n");
    std::ofstream(rack.config_file(), std::ios::trunc) << config;
    const Finished reloaded = rack.command({"--json", "reload"});
    CHECK_MESSAGE(reloaded.output.contains("service.readers"), reloaded.output);
    CHECK(wait_for(20s, [&] { return threads_named(rack, "store-r") > 1; }));
    CHECK(threads_named(rack, "store-r") <= 6);
}

}  // namespace smsrack::test

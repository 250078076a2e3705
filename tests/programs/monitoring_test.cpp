// The Grafana dashboard and the Prometheus rules before the metrics of the real service: what they name exists, and a name that does
// not is found.
#include "tests/support/rack.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace smsrack::test {
namespace {

const std::filesystem::path monitoring_source = SMSRACK_SOURCE_DIR;
const std::filesystem::path monitoring_packaging =
    std::filesystem::path("firmware-host") / "packaging";

Finished check_monitoring(const std::filesystem::path& metrics, const std::filesystem::path& root) {
    return run(
        {.words = {"/usr/bin/python3", "-B", monitoring_source / "tools/scripts/check_monitoring",
                   "--metrics", metrics, "--root", root}});
}

/// A wrong name in place of a right one.
struct Wrong {
    const char* file;
    std::string_view right;
    std::string_view wrong;
    const char* complaint;
};

}  // namespace

TEST_CASE("monitoring: dashboard and rules name metrics and labels that the service has") {
    // Each family that exists only where it is configured or in use.
    const Rack rack({.modems = 2,
                     .config = "[scaling]\nenabled = true\nn_min = 2\n",
                     .modem_keys = {{0, "quota = { per_day = 1000 }\n"}, {1, "group = \"b\"\n"}}});
    REQUIRE(rack.reaches(rack.submit({{"to", "+33612345678"}, {"text", "measured"}}), "delivered"));
    // A condition, for its labels; nothing is expected of a group that is paused.
    REQUIRE(rack.command({"pause", "--group", "b"}).ending.code == 0);
    const TempDir folder;
    const auto metrics = folder.path() / "metrics";
    std::string text;
    // What is expected is known once the first segments are counted.
    REQUIRE(wait_for(std::chrono::seconds(20), [&] {
        text = rack.http("GET", "/metrics").body;
        return text.contains("smsrack_expected_seconds{");
    }));
    std::ofstream(metrics, std::ios::binary) << text;
    const Finished right = check_monitoring(metrics, monitoring_source);
    CAPTURE(right.output);
    CHECK(right.ending.code == 0);
    CHECK(right.output.contains("expressions name metrics that exist"));

    const auto root = folder.path() / "root";
    for (const Wrong& one :
         {Wrong{"grafana/smsrack.json", "smsrack_queue_depth", "smsrack_queue_height",
                "no metric smsrack_queue_height"},
          Wrong{"grafana/smsrack.json", "by (level)", "by (height)", "no metric has the label"},
          Wrong{"prometheus/smsrack.rules.yml",
                "smsrack_ready ==", "smsrack_steady ==", "no metric smsrack_steady"},
          Wrong{"prometheus/smsrack.rules.yml",
                "{severity=", "{gravity=", "has no label gravity"}}) {
        CAPTURE(one.wrong);
        std::filesystem::remove_all(root);
        std::filesystem::create_directories((root / monitoring_packaging).parent_path());
        std::filesystem::copy(monitoring_source / monitoring_packaging, root / monitoring_packaging,
                              std::filesystem::copy_options::recursive);
        const auto file = root / monitoring_packaging / one.file;
        std::string text = read_file(file);
        const auto at = text.find(one.right);
        REQUIRE(at != std::string::npos);
        text.replace(at, one.right.size(), one.wrong);
        std::ofstream(file, std::ios::trunc) << text;
        const Finished wrong = check_monitoring(metrics, root);
        CHECK(wrong.ending.code == 1);
        CHECK(wrong.output.contains(one.complaint));
    }
}

}  // namespace smsrack::test

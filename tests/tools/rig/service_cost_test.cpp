#include "tools/rig/service_cost.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

using namespace smsrack;

TEST_CASE("service cost: what was written is read from /proc/PID/io") {
    const auto written = rig::read_written(
        "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 4096\n"
        "cancelled_write_bytes: 7\n");
    REQUIRE(written);
    CHECK(*written == 4096);
    CHECK_FALSE(rig::read_written(""));
    CHECK_FALSE(rig::read_written("rchar: 1\ncancelled_write_bytes: 7\n"));
}

TEST_CASE("service cost: a sample is found by its whole name") {
    constexpr auto metrics =
        "# HELP x_total X.\n# TYPE x_total counter\nx_total{file=\"log\"} 12\n"
        "x_total{file=\"database\"} 3\nx_total_more 4\nmore_x_total 5\n";
    CHECK(rig::read_sample(metrics, R"(x_total{file="database"})") == 3);
    CHECK(rig::read_sample(metrics, R"(x_total{file="log"})") == 12);
    CHECK(rig::read_sample(metrics, "more_x_total") == 5);
    CHECK_FALSE(rig::read_sample(metrics, "x_total"));
    CHECK_FALSE(rig::read_sample(metrics, "total"));
}

TEST_CASE("service cost: we are a process with threads that ran") {
    const auto cost = rig::process_cost(getpid());
    REQUIRE(cost);
    CHECK(cost->all_cpu_ns() > 0);
    CHECK_FALSE(rig::process_cost(-1));
}

TEST_CASE("service cost: a sum has what happened between two looks, also of threads that came") {
    rig::ServiceCost sum;
    add(sum, rig::ProcessCost{.written = 100, .cpu_ns = {{"loop", 5}}},
        rig::ProcessCost{.written = 300, .cpu_ns = {{"loop", 7}, {"line-m", 4}}});
    add(sum, rig::DiskCounts{.syncs = 1, .log_pages = 10},
        rig::DiskCounts{.syncs = 3, .commits = 2, .log_pages = 25, .file_pages = 1});
    CHECK(sum.process.written == 200);
    CHECK(sum.process.cpu_ns.at("loop") == 2);
    CHECK(sum.process.all_cpu_ns() == 6);
    CHECK(sum.disk.syncs == 2);
    CHECK(sum.disk.commits == 2);
    CHECK(sum.disk.log_pages == 15);
    CHECK(sum.disk.file_pages == 1);
}

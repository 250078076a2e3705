#include "src/model/mmc.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace smsrack;
using namespace smsrack::model;

TEST_CASE("mmc: the published figures of [SMSEngine] come out to all printed digits") {
    const auto figures = mmc({.lambda = 3.86, .mu = 1.6, .servers = 8});
    REQUIRE(figures);
    CHECK(fmt::format("{:.4f}", figures->p0 * 100) == "8.9572");
    CHECK(fmt::format("{:.4f}", figures->p_wait * 100) == "0.3650");
    CHECK(fmt::format("{:.4f}", figures->lq) == "0.0016");
    CHECK(fmt::format("{:.4f}", figures->ls) == "2.4141");
    CHECK(fmt::format("{:.4f}", figures->wq) == "0.0004");
    CHECK(fmt::format("{:.4f}", figures->ws) == "0.6254");
}

TEST_CASE("mmc: one server is M/M/1") {
    const auto figures = mmc({.lambda = 3, .mu = 4, .servers = 1});
    REQUIRE(figures);
    CHECK(figures->rho == doctest::Approx(0.75));
    CHECK(figures->p0 == doctest::Approx(0.25));
    CHECK(figures->p_wait == doctest::Approx(0.75));
    CHECK(figures->lq == doctest::Approx(2.25));
    CHECK(figures->ls == doctest::Approx(3));
    CHECK(figures->ws == doctest::Approx(1));
}

TEST_CASE("mmc: Little's law and P(wait) = a^c P0 / (c!(1-rho)) hold from 1 to 256 servers") {
    for (std::uint32_t servers = 1; servers <= 256; ++servers) {
        CAPTURE(servers);
        const double offered = 0.9 * servers;
        const auto figures = mmc({.lambda = offered * 0.2, .mu = 0.2, .servers = servers});
        REQUIRE(figures);
        CHECK(figures->ls == doctest::Approx(offered * 0.2 * figures->ws));
        const double c = servers;
        const double log_c = c * std::log(offered) - std::lgamma(c + 1) + std::log(figures->p0) -
                             std::log(1 - figures->rho);
        CHECK(std::exp(log_c) == doctest::Approx(figures->p_wait).epsilon(1e-9));
    }
}

TEST_CASE("mmc: thousands of servers give finite figures") {
    const auto figures = mmc({.lambda = 9'900, .mu = 1, .servers = 10'000});
    REQUIRE(figures);
    CHECK(figures->p_wait > 0.2);
    CHECK(figures->p_wait < 0.4);
    CHECK(figures->p0 >= 0);
    CHECK(std::isfinite(figures->ws));
}

TEST_CASE("mmc: a load that the servers can't carry is an error that says so") {
    for (const MmcLoad load : {MmcLoad{3.2, 1.6, 2}, MmcLoad{4, 1.6, 2}, MmcLoad{100, 1, 8}}) {
        const auto figures = mmc(load);
        REQUIRE_FALSE(figures);
        CHECK(figures.error().code == Errc::bad_request);
        CHECK(figures.error().context.contains("grows without end"));
    }
}

TEST_CASE("mmc: rates that are none are refused") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinite = std::numeric_limits<double>::infinity();
    for (const MmcLoad load :
         {MmcLoad{0, 1, 1}, MmcLoad{-1, 1, 1}, MmcLoad{1, 0, 1}, MmcLoad{nan, 1, 1},
          MmcLoad{1, infinite, 1}, MmcLoad{1, 2, 0}, MmcLoad{1, 2, servers_max + 1}}) {
        CHECK_FALSE(mmc(load));
    }
}

TEST_CASE("servers_needed: the fewest that keep the wait, and one less does not") {
    for (const double target : {0.0001, 0.001, 0.01, 0.1, 1.0, 10.0}) {
        for (const double lambda : {0.1, 3.86, 40.0, 400.0}) {
            CAPTURE(target);
            CAPTURE(lambda);
            const auto servers = servers_needed(lambda, 1.6, target);
            REQUIRE(servers);
            CHECK(mmc({.lambda = lambda, .mu = 1.6, .servers = *servers})->wq <= target);
            if (*servers > 1) {
                const auto fewer = mmc({.lambda = lambda, .mu = 1.6, .servers = *servers - 1});
                CHECK((!fewer || fewer->wq > target));
            }
        }
    }
}

TEST_CASE("servers_needed: what can't be is refused") {
    CHECK_FALSE(servers_needed(1, 1, 0));
    CHECK_FALSE(servers_needed(1, 1, -1));
    CHECK_FALSE(servers_needed(0, 1, 1));
    CHECK_FALSE(servers_needed(1e9, 1, 1));
}

/// What the parts of the service are made with: the configuration of one modem whose port is not
/// there, and what all of them use. The test runs the loop, where it must run.
#pragma once

#include "firmware-host/process/system_clock.hpp"
#include "firmware-host/rack_address.hpp"
#include "firmware-host/run.hpp"
#include "firmware-host/system/log_tail.hpp"
#include "tests/support/quiet_log.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace smsrack::test {

[[nodiscard]] inline host::Configuration one_modem(const std::filesystem::path& folder) {
    auto made = host::configuration_of(
        fmt::format("[service]\nstate_dir = \"{0}\"\nsocket = \"{0}/socket\"\n[[modem]]\n"
                    "name = \"m0\"\nport = \"{0}/no-port\"\n",
                    folder.string()),
        "host.toml");
    REQUIRE_MESSAGE(made, (made ? std::string() : made.error().text()));
    return *std::move(made);
}

/// `folder` is that of the state.
struct HostRun {
    explicit HostRun(const std::filesystem::path& folder) : HostRun(one_modem(folder)) {}
    explicit HostRun(host::Configuration configuration)
        : run(std::move(configuration), "host.toml", stats, limited, tail, machine) {}

    host::SystemClock machine;
    QuietLog log;
    LimitedLog limited{log, machine};
    host::LogTail tail{machine};
    stats::Stats stats;
    host::Run run;
    host::RackAddress address{run.loop, stats, run.clock, log};
};

}  // namespace smsrack::test

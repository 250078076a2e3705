/// Several boxes on this machine, each with its service and its modems, and a real PostgreSQL as their engine.
///
/// Threads: one.
/// Errors:  std::runtime_error where something does not start; doctest's REQUIRE where a box can't join.
#pragma once

#include "tests/db/postgres/server.hpp"
#include "tests/support/rack.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace smsrack::test {

/// Of a recipient.
[[nodiscard]] inline std::string number_of(std::size_t n) {
    return fmt::format("+336120{:05}", n);
}

struct FleetPlan {
    std::size_t boxes = 3;
    unsigned modems = 2;          ///< of each
    bool two_disks = false;       ///< the engine has a synchronous standby
    std::string cluster = {};     ///< TOML in [cluster] of each box
    std::string config = {};      ///< TOML behind it
    std::string modem_keys = {};  ///< TOML of each modem
    std::vector<std::string> sim_options = {"--service-ms", "20", "--report-ms", "20"};
};

class FleetRig {
public:
    static constexpr std::chrono::seconds lease{5};
    /// The first modem of each box has this number more than that of the box before, and so has its SIM.
    static constexpr unsigned numbers_of_box = 10;

    /// All boxes have joined, run, and have their seats.
    explicit FleetRig(FleetPlan plan = {});

    [[nodiscard]] Rack& box(std::size_t index) { return racks_.at(index); }
    [[nodiscard]] std::size_t boxes() const { return racks_.size(); }
    [[nodiscard]] static std::string name_of(std::size_t index) {
        return "b" + std::to_string(index + 1);
    }
    [[nodiscard]] PostgresServer& engine() { return *engine_; }
    [[nodiscard]] std::string box_conninfo() const { return engine_->conninfo("smsrack", "box"); }
    /// The answer to a message that must be accepted.
    [[nodiscard]] wire::Json submit(std::size_t index, const wire::Json& message) const;
    [[nodiscard]] Finished join(std::size_t index) const;
    /// This box, as GET /v1/cluster shows it.
    [[nodiscard]] wire::Json standing(std::size_t index) const {
        return racks_.at(index).get("/v1/cluster");
    }
    /// True when it has its seat within 20 s.
    [[nodiscard]] bool is_seated(std::size_t index) const;
    /// As box 1 sees box `index`.
    [[nodiscard]] wire::Json row_of(std::size_t index) const;
    /// What all networks got of messages to this number.
    [[nodiscard]] std::size_t sent_to(const std::string& number) const;

private:
    std::unique_ptr<PostgresServer> engine_;
    std::unique_ptr<PostgresServer> standby_;
    std::deque<Rack> racks_;
};

}  // namespace smsrack::test

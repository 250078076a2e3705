#include "tests/programs/support/fleet_rig.hpp"

#include "tests/db/postgres/postgres_rig.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>
#include <utility>

namespace smsrack::test {

using namespace std::chrono_literals;

FleetRig::FleetRig(FleetPlan plan) : engine_(std::make_unique<PostgresServer>()) {
    prepare_roles(*engine_, "smsrack");
    if (plan.two_disks) {
        standby_ = engine_->make_standby("second");
        make_synchronous(*engine_, "second");
    }
    for (std::size_t i = 0; i < plan.boxes; ++i) {
        const std::string cluster = fmt::format(
            "[cluster]\nname = \"{}\"\nengine = \"{}\"\nsite = \"here\"\nlease_s = {}\n"
            "alone_s = 60\n{}\n{}\n",
            name_of(i), box_conninfo(), lease.count(), plan.cluster, plan.config);
        RackPlan rack{.modems = plan.modems, .sim_options = plan.sim_options, .config = cluster};
        rack.sim_options.emplace_back("--first");
        rack.sim_options.push_back(std::to_string(i * numbers_of_box));
        for (unsigned modem = 0; modem < plan.modems && !plan.modem_keys.empty(); ++modem) {
            rack.modem_keys[modem] = plan.modem_keys;
        }
        racks_.emplace_back(std::move(rack), false);
    }
    for (std::size_t i = 0; i < plan.boxes; ++i) {
        const Finished joined = join(i);
        CAPTURE(joined.output);
        REQUIRE(joined.ending == Ending{0, 0});
        racks_[i].start_service();
    }
    for (std::size_t i = 0; i < plan.boxes; ++i) {
        REQUIRE(is_seated(i));
    }
}

Finished FleetRig::join(std::size_t index) const {
    return run({.words = {program("smsrack"), "cluster", "join", "--config",
                          racks_.at(index).config_file(), "--owner",
                          engine_->conninfo("smsrack", "owner")}});
}

wire::Json FleetRig::submit(std::size_t index, const wire::Json& message) const {
    const HttpAnswer answer = racks_.at(index).http("POST", "/v1/messages", message.dump());
    CAPTURE(answer.body);
    REQUIRE(answer.status == 202);
    return wire::parse_json(answer.body).value();
}

bool FleetRig::is_seated(std::size_t index) const {
    return wait_for(20s, [&] {
        const wire::Json here = standing(index);
        return here.at("seat") == "seated" && here.at("may_begin") == true;
    });
}

wire::Json FleetRig::row_of(std::size_t index) const {
    const wire::Json seen = racks_.front().get("/v1/cluster/boxes");
    for (const wire::Json& box : seen.at("boxes")) {
        if (box.at("name") == name_of(index)) {
            return box;
        }
    }
    return {};
}

std::size_t FleetRig::sent_to(const std::string& number) const {
    std::size_t sent = 0;
    for (const Rack& rack : racks_) {
        sent += rack.submits_to(number).size();
    }
    return sent;
}

}  // namespace smsrack::test

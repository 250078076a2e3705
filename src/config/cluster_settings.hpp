/// [cluster]: this box as one of several that are one gateway.
#pragma once

#include "src/config/field.hpp"
#include "src/config/scaling_settings.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace smsrack::config {

/// What a client gets while the engine does not answer.
enum class AlonePolicy : std::uint8_t { accept, refuse };

template <>
struct Words<AlonePolicy> {
    static constexpr std::array<std::string_view, 2> names{"accept", "refuse"};
};

/// What a SIM may send whose usage at other boxes is not known.
enum class QuotaAlone : std::uint8_t { wait, own_count };

template <>
struct Words<QuotaAlone> {
    static constexpr std::array<std::string_view, 2> names{"wait", "own_count"};
};

/// [cluster.scaling]: how boxes are parked and woken as the load of the fleet needs.
struct FleetScalingSettings : NodeScaling {
    bool park_awaited = false;
    days sticky{30};
    seconds wake_within{300};

    static constexpr auto fields = std::tuple_cat(
        NodeScaling::fields,
        std::tuple{
            field("park_awaited", &FleetScalingSettings::park_awaited, form(Form::any),
                  "this box may be parked although its SIMs await reports"),
            field("sticky_days", &FleetScalingSettings::sticky, range(0, 365),
                  "a box whose SIM a sticky recipient has known for less is not parked; 0: it may "
                  "be"),
            field("wake_within_s", &FleetScalingSettings::wake_within, range(5, 3'600),
                  "a box that is woken and needs longer is given up, and another one is woken"),
        });
};

struct ClusterSettings {
    std::string name = {};
    std::string engine = {};
    bool engine_node = false;
    std::string site = {};
    seconds lease{15};
    seconds ahead{60};
    seconds alone_for{3'600};
    milliseconds accept_wait{2'000};
    AlonePolicy alone = AlonePolicy::accept;
    LevelSpan alone_levels = {.lowest = 0, .highest = 6};
    seconds rules_max_age{86'400};
    std::int64_t rules_exempt_level = 6;
    seconds sticky_wait{300};
    QuotaAlone quota_alone = QuotaAlone::wait;
    std::string wake = {};
    std::string wake_socket = "/run/smsrack/wake.sock";
    FleetScalingSettings scaling = {};
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("name", &ClusterSettings::name, form(Form::name).needed(),
              "of this box; no other one has it"),
        field("engine", &ClusterSettings::engine, form(Form::any).needed(),
              "where PostgreSQL is, as libpq has it; no password in it"),
        field("engine_node", &ClusterSettings::engine_node, form(Form::any),
              "this box runs a part of the engine, too"),
        field("site", &ClusterSettings::site, form(Form::any), "where it is, for people"),
        field("lease_s", &ClusterSettings::lease, range(5, 600),
              "of silence, until others take what this box holds and has not made firm"),
        field("ahead_s", &ClusterSettings::ahead, range(30, 86'400),
              "firm work, in seconds of this box's own sending"),
        field("alone_s", &ClusterSettings::alone_for, range(10, 604'800),
              "how long it may begin firm work while the engine does not answer"),
        field("accept_wait_ms", &ClusterSettings::accept_wait, range(0, 60'000),
              "how long a client waits for the engine to have its message"),
        field("alone", &ClusterSettings::alone, form(Form::any),
              "accept | refuse: what a client gets while the engine does not answer"),
        field("alone_levels", &ClusterSettings::alone_levels, range(0, 6),
              "lowest and highest level sent while the engine does not have the message"),
        field("rules_max_age_s", &ClusterSettings::rules_max_age, range(60, 31'536'000),
              "after so long without word of opt-outs and pauses, only rules_exempt_level is sent"),
        field("rules_exempt_level", &ClusterSettings::rules_exempt_level, range(0, 6),
              "this level and above are sent all the same"),
        field("sticky_wait_s", &ClusterSettings::sticky_wait, range(0, 604'800),
              "of silence of the box with the recipient's SIM, until others send to it"),
        field("quota_alone", &ClusterSettings::quota_alone, form(Form::any),
              "wait | own_count: a SIM that the engine has told nothing of"),
        field("wake", &ClusterSettings::wake, form(Form::absolute_path),
              "program that wakes, parks and fences boxes: run as `wake|park|fence NAME`"),
        field("wake_socket", &ClusterSettings::wake_socket, form(Form::socket_path),
              "of smsrack-wake.socket, which runs that program"),
        field("scaling", &ClusterSettings::scaling, form(Form::any),
              "boxes are parked and woken as the load needs: [cluster.scaling]"),
    };
};

}  // namespace smsrack::config

/// [scaling]: how modems are parked and unparked as the load needs; and what [cluster.scaling] has in common with it.
#pragma once

#include "src/config/field.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace smsrack::config {

enum class ScalingPolicy : std::uint8_t { smsrack, paper };

template <>
struct Words<ScalingPolicy> {
    static constexpr std::array<std::string_view, 2> names{"smsrack", "paper"};
};

/// How many nodes work: of [scaling] modems, of [cluster.scaling] boxes.
struct NodeScaling {
    bool enabled = false;
    ScalingPolicy policy = ScalingPolicy::smsrack;
    std::int64_t n_min = 2;
    std::optional<std::int64_t> n_max = {};
    std::int64_t samples = 20;
    milliseconds period{30'000};
    double idle = 0.1;
    double busy = 0.7;
    double node_rate = 0;  ///< 0: learned

    static constexpr auto fields = std::tuple{
        field("enabled", &NodeScaling::enabled, form(Form::any),
              "they are parked and unparked as the load needs"),
        field("policy", &NodeScaling::policy, form(Form::any),
              "smsrack | paper (the published one to the letter)"),
        field("n_min", &NodeScaling::n_min, range(1, 1'024), "never fewer of them"),
        field("n_max", &NodeScaling::n_max, range(1, 1'024),
              "never more of them; absent: all of them"),
        field("samples", &NodeScaling::samples, range(10, 100), "of one decision"),
        field("period_ms", &NodeScaling::period, range(100, 3'600'000), "between two samples"),
        field("idle", &NodeScaling::idle, range(0, 1), "below this part one is idle; 0.01 to 0.2"),
        field("busy", &NodeScaling::busy, range(0, 1), "above this part one is busy; 0.6 to 0.9"),
        field("node_rate", &NodeScaling::node_rate, range(0, 1'000'000),
              "messages a second that one can carry; 0: learned"),
    };
};

struct ScalingSettings : NodeScaling {
    bool radio_off = false;
    seconds listen{900};
    seconds awake{30};
    std::vector<std::string> calendar = {};
    int source_line = 0;  ///< of [scaling] in the file

    static constexpr auto fields = std::tuple_cat(
        NodeScaling::fields,
        std::tuple{
            field("radio_off", &ScalingSettings::radio_off, form(Form::any),
                  "the radio of a parked modem goes off too, when nothing is expected for its SIM"),
            field("listen_s", &ScalingSettings::listen, range(10, 604'800),
                  "how often such a modem is switched on to receive answers and reports"),
            field("awake_s", &ScalingSettings::awake, range(5, 3'600),
                  "how long it then listens, and after each thing that it receives"),
            field("calendar", &ScalingSettings::calendar, form(Form::holiday),
                  "holidays that move, \"NAME YYYY-MM-DD\" for each year: the forecast goes by the "
                  "last"),
        });
};

}  // namespace smsrack::config

/// [clients] and [[client]]: front ends that name themselves.
#pragma once

#include "src/config/field.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace smsrack::config {

struct ClientsSettings {
    seconds disconnect{30};
    seconds heartbeat{0};
    std::int64_t buffered_max = 1'000'000;
    bool known_only = false;

    static constexpr auto fields = std::tuple{
        field("disconnect_s", &ClientsSettings::disconnect, range(1, 86'400),
              "a lost connection: link pending -> stop"),
        field("heartbeat_s", &ClientsSettings::heartbeat, range(0, 86'400),
              "a listening client that says nothing for so long is cut off; 0: never"),
        field("buffered_max", &ClientsSettings::buffered_max, range(1, 1'000'000'000),
              "results that a client has not acknowledged; beyond: it gets 503"),
        field("known_only", &ClientsSettings::known_only, form(Form::any),
              "only the names of [[client]] may be used"),
    };
};

/// What one of them may have open; absent: as [clients] says.
struct ClientSettings {
    std::string name = {};
    std::string user = {};
    std::optional<std::int64_t> buffered_max = {};
    std::optional<std::int64_t> waiting_max = {};
    int source_line = 0;

    static constexpr auto fields = std::tuple{
        field("name", &ClientSettings::name, form(Form::name).needed(), "unique"),
        field("user", &ClientSettings::user, form(Form::name),
              "account that may use the name on the socket; absent: administrators only"),
        field("buffered_max", &ClientSettings::buffered_max, range(1, 1'000'000'000),
              "results that it has not acknowledged; beyond: it gets 503"),
        field("waiting_max", &ClientSettings::waiting_max, range(1, 1'000'000'000),
              "its messages that are not at their end; beyond: it gets 503"),
    };
};

}  // namespace smsrack::config

#include "src/api/smpp_board.hpp"

#include "src/wire/json.hpp"

#include <utility>

namespace smsrack::api {

Result<> SmppBoard::take(std::string_view piece, SteadyTime now, WallTime at) {
    const auto json = wire::parse_json(piece);
    const auto flag = [&](const char* name) {
        const auto found = json->find(name);
        return found != json->end() && found->is_boolean() && found->get<bool>();
    };
    if (!json || !json->is_object() || !json->contains("accounts") ||
        !(*json)["accounts"].is_array()) {
        return fail(Errc::bad_request, "accounts: must be an array");
    }
    if (flag("first")) {
        next_.clear();
        next_names_.clear();
    }
    for (const wire::Json& account : (*json)["accounts"]) {
        const bool is_named =
            account.is_object() && account.contains("name") && account["name"].is_string();
        if (!is_named || next_.size() == accounts_max) {
            return fail(Errc::bad_request, "accounts: each must have a name; at most 1000");
        }
        auto name = account["name"].get<std::string>();
        next_names_.insert(name);
        next_.push_back({.name = std::move(name), .json = account.dump()});
    }
    if (flag("last")) {
        report_ = {.at = at, .accounts = std::exchange(next_, {})};
        names_ = std::exchange(next_names_, {});
        reported_at_ = now;
    }
    return {};
}

std::optional<SmppBoard::Report> SmppBoard::report(SteadyTime now) const {
    return reported_at_ && now < *reported_at_ + valid ? std::optional(report_) : std::nullopt;
}

}  // namespace smsrack::api

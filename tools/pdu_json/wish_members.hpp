/// The members of an encode request, one reader each: the table that submit_wish walks.
///
/// Errors:  bad_request: wrong type or range; bad_udh: an element that the encoder makes itself.
#pragma once

#include "src/wire/json.hpp"
#include "tools/pdu_json/submit_wish.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace smsrack::tools {

/// What a reader found wrong; nothing when the member was taken.
using Fault = std::optional<LineError>;

struct WishMember {
    std::string_view name;
    bool may_be_null;      ///< null means not given
    std::string_view why;  ///< what it must be
    Fault (*read)(const wire::Json& value, SubmitWish& wish, const WishMember& member);
};

[[nodiscard]] std::span<const WishMember> wish_members();

[[nodiscard]] LineError bad_request(std::string_view member, std::string_view why);

}  // namespace smsrack::tools

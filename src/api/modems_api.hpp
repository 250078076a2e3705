/// GET of the modems.
#pragma once

#include "src/api/call.hpp"

#include <string_view>

namespace smsrack::api {

void list_modems(Call call);
void get_modem(Call call);

/// not_found, with the names that there are.
[[nodiscard]] Error no_such_modem(const Call& call);

/// The words of the API.
[[nodiscard]] std::string_view link_name(ports::LinkState link);
[[nodiscard]] std::string_view registration_name(ports::Registration registration);

}  // namespace smsrack::api

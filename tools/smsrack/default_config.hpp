/// The configuration that the packages ship, as it was when this program was built: firmware-host/packaging/smsrack.toml.
#pragma once

#include <string_view>

namespace smsrack::cli {

[[nodiscard]] std::string_view default_config_text();

}  // namespace smsrack::cli

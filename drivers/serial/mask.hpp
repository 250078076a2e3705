/// Masks a line of AT traffic for display: PINs always; texts and numbers unless the configuration
/// asks for them.
///
/// Source:  3GPP TS 27.007 (+CPIN, +CPWD, +CLCK, +CUSD, +CLIP), TS 27.005 (PDUs).
#pragma once

#include <string>
#include <string_view>

namespace smsrack::serial {

/// From here on the line is a secret: behind the "=" of a command that carries a PIN; npos: none.
[[nodiscard]] std::size_t secret_begin(std::string_view line);

/// Appends `line` with '*' for its secret.
void append_without_secret(std::string& out, std::string_view line);

/// Appends `line` without its secret, and without texts and numbers: of long runs of hexadecimal
/// digits the first ones and how many they are; of quoted words in lines that carry a number or a
/// text, their length.
void append_masked(std::string& out, std::string_view line);

}  // namespace smsrack::serial

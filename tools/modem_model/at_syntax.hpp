/// Splits a command line into commands: "ATE0+CMEE=1;+CREG?" are three.
///
/// Source:  ITU-T V.250 5.2 to 5.4; 3GPP TS 27.007 section 4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::modem_sim {

enum class AtForm : std::uint8_t { execute, read, test, set };

struct AtCommand {
    std::string name = {};  ///< upper case: "E", "&F", "+CMGS"; empty: AT alone
    AtForm form = AtForm::execute;
    /// Behind "=", or the number of a basic command; points into the line.
    std::string_view arguments = {};
};

/// `line` without its CR. Nullopt if it does not begin with AT.
[[nodiscard]] std::optional<std::vector<AtCommand>> parse_at_line(std::string_view line);

/// The arguments of a command, split at commas outside quotes.
class AtArguments {
public:
    explicit AtArguments(std::string_view text);

    [[nodiscard]] std::size_t size() const { return items_.size(); }
    /// A decimal number; nullopt if it is missing or malformed.
    [[nodiscard]] std::optional<int> number(std::size_t at) const;
    /// As number(), with `otherwise` where it is missing or empty.
    [[nodiscard]] std::optional<int> number_or(std::size_t at, int otherwise) const;
    /// Without its quotes; empty where missing.
    [[nodiscard]] std::string_view text(std::size_t at) const;

private:
    std::vector<std::string_view> items_;
};

}  // namespace smsrack::modem_sim

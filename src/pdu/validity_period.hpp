/// TP-VP: how long the service centre keeps trying to deliver.
///
/// Unit:    seconds. Relative values step by 5 minutes (to 12 hours), 30 minutes (to a day), days
///          (to 30), weeks (to 63).
/// Source:  3GPP TS 23.040 9.2.3.12.
#pragma once

#include "src/pdu/first_octet.hpp"
#include "src/pdu/reader.hpp"
#include "src/pdu/scts.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::pdu {

struct ValidityPeriod {
    ValidityFormat format = ValidityFormat::none;
    std::array<std::uint8_t, 7> raw = {};  ///< 1 octet of it when relative

    [[nodiscard]] Octets octets() const;

    /// Relative and enhanced; nullopt if the enhanced form names none, or is reserved.
    [[nodiscard]] std::optional<std::chrono::seconds> duration() const;
    /// Absolute; nothing when it is no real time.
    [[nodiscard]] std::optional<CivilTime> time() const;
    /// Enhanced: one attempt only.
    [[nodiscard]] bool single_shot() const;
};

/// Errors: truncated.
[[nodiscard]] ValidityPeriod read_validity_period(Reader& reader, ValidityFormat format);

[[nodiscard]] ValidityPeriod relative_period(std::uint8_t value);

/// To the second, at most 99:59:59. Many service centres do not know this form (+CMS ERROR 198).
[[nodiscard]] ValidityPeriod enhanced_period(std::chrono::seconds wanted);

/// The duration of a relative value: 5 minutes to 63 weeks.
[[nodiscard]] std::chrono::seconds relative_duration(std::uint8_t value);

inline constexpr std::chrono::seconds relative_duration_max{38'102'400};

/// The longest relative value that is not longer than `left`, so that nothing stale arrives; 0 (5
/// minutes) where none is.
[[nodiscard]] std::uint8_t relative_validity(std::chrono::seconds left);

/// The shortest relative value that is not shorter than `wanted`, which is at most
/// relative_duration_max.
[[nodiscard]] std::uint8_t relative_validity_at_least(std::chrono::seconds wanted);

}  // namespace smsrack::pdu

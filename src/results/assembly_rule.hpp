/// Decides which message a segment belongs to, if its sender uses one concatenation reference for
/// several messages.
///
/// A message that has this part already is another one. Parts are submitted in order, within seconds or
/// minutes: so the message whose TP-SCTS are before those of the parts behind it, and nearest, is it.
/// Source:  3GPP TS 23.040 9.2.3.24.1 (the reference is counted modulo 256, or is what a sender likes).
#pragma once

#include "src/ports/store_rules.hpp"

#include <cstddef>
#include <optional>
#include <span>

namespace smsrack::results {

/// For ports::StoreRules. `candidates`: oldest first. nullopt: the part begins a message.
[[nodiscard]] std::optional<std::size_t> choose_assembly(
    const InboundSegment& part, std::span<const ports::AssemblyCandidate> candidates);

}  // namespace smsrack::results

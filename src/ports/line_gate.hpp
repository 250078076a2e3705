/// Whether a line may be given work. The operator or the scaling controller decides it,
/// independently of the state of its link.
///
/// A gate that is shut lets the line end what it holds, and gives it nothing new.
/// Source:  [EBAS] listener, manual state; [Elastic] parked nodes.
#pragma once

#include "src/base/result.hpp"
#include "src/base/state_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace smsrack::ports {

enum class LineGate : std::uint8_t {
    open,
    blocked,  ///< by the operator; kept over a restart
    parked,   ///< by the scaling controller: it hears answers and reports, and may be needed again
};

enum class GateOrder : std::uint8_t { drain, resume, park, unpark };

/// The operator's order prevails over the controller's. A pair that is not here is refused.
inline constexpr std::array gate_rules{
    Rule<LineGate, GateOrder>{LineGate::open, GateOrder::drain, LineGate::blocked},
    Rule<LineGate, GateOrder>{LineGate::open, GateOrder::resume, LineGate::open},
    Rule<LineGate, GateOrder>{LineGate::open, GateOrder::park, LineGate::parked},
    Rule<LineGate, GateOrder>{LineGate::blocked, GateOrder::drain, LineGate::blocked},
    Rule<LineGate, GateOrder>{LineGate::blocked, GateOrder::resume, LineGate::open},
    Rule<LineGate, GateOrder>{LineGate::parked, GateOrder::drain, LineGate::blocked},
    Rule<LineGate, GateOrder>{LineGate::parked, GateOrder::resume, LineGate::open},
    Rule<LineGate, GateOrder>{LineGate::parked, GateOrder::unpark, LineGate::open},
};

inline constexpr std::array<std::string_view, 3> line_gate_names{"open", "blocked", "parked"};

[[nodiscard]] constexpr std::string_view line_gate_name(LineGate gate) {
    return line_gate_names.at(static_cast<std::size_t>(gate));
}

struct GateAnswer {
    LineGate gate = LineGate::open;
    bool holds = false;  ///< a message is in its hand, which it ends
};

/// Called once, when the order would hold over a restart; on the dispatch or the writing thread, so it only hands over.
/// conflict: the table has no such row. storage: it was carried out, but a restart would undo it.
using GateDone = std::move_only_function<void(Result<GateAnswer>)>;

}  // namespace smsrack::ports

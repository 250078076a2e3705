#include "src/ports/line_gate.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace smsrack;
using ports::GateOrder;
using ports::LineGate;

TEST_CASE("line gate: every pair of a state and an order") {
    struct Row {
        LineGate from;
        GateOrder order;
        std::optional<LineGate> to;
    };
    for (const Row& row : {
             Row{LineGate::open, GateOrder::drain, LineGate::blocked},
             Row{LineGate::open, GateOrder::resume, LineGate::open},
             Row{LineGate::open, GateOrder::park, LineGate::parked},
             Row{LineGate::open, GateOrder::unpark, std::nullopt},
             Row{LineGate::blocked, GateOrder::drain, LineGate::blocked},
             Row{LineGate::blocked, GateOrder::resume, LineGate::open},
             Row{LineGate::blocked, GateOrder::park, std::nullopt},
             Row{LineGate::blocked, GateOrder::unpark, std::nullopt},
             Row{LineGate::parked, GateOrder::drain, LineGate::blocked},
             Row{LineGate::parked, GateOrder::resume, LineGate::open},
             Row{LineGate::parked, GateOrder::park, std::nullopt},
             Row{LineGate::parked, GateOrder::unpark, LineGate::open},
         }) {
        CAPTURE(line_gate_name(row.from));
        CAPTURE(static_cast<int>(row.order));
        CHECK(next(ports::gate_rules, row.from, row.order) == row.to);
    }
}

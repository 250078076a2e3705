/// The journal of what really happened to a modem: the truth against which a service is audited.
///
/// Time:    every entry is written before the host can see anything of it.
#pragma once

#include "src/base/clock.hpp"
#include "tools/modem_model/faults/fault.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::modem_sim {

/// How long the host thought: from when the last octet of what the modem said went to the port to
/// when the first that came back was read. The port's own waking is in it; by how much the
/// simulator itself was late with what it said is not.
struct HostGap {
    std::chrono::microseconds host = {};
    std::chrono::microseconds late = {};
};

struct HostGaps {
    HostGap command = {};  ///< before the last command, so before AT+CMGS
    HostGap entry = {};    ///< between the prompt and the PDU
};

/// The network accepted a message.
struct SubmitEntry {
    std::string_view pdu;  ///< octets, service centre field first
    std::string_view to;
    std::string_view iccid;  ///< of the SIM that is in the modem
    int mr = 0;
    std::chrono::microseconds service = {};
    HostGaps gaps = {};
};

/// A message or report reached the modem: it is stored, or was given to the host (and acknowledged,
/// where asked for).
struct DeliveryEntry {
    bool report = false;
    std::string_view how;    ///< "stored", "direct", "given", "acknowledged", "dropped"
    std::string_view iccid;  ///< of the SIM that it is for
    std::uint64_t id = 0;    ///< of the inbound message; its segments share it
    int segment = 1;
    int segments = 1;
    std::string_view from;      ///< originator; of a report: the destination of its submit
    std::string_view text;      ///< whole text, of inbound alone
    int mr = 0;                 ///< of a report
    int status = 0;             ///< TP-Status, of a report
    std::string_view pdu = {};  ///< octets, service centre field first
    std::size_t place = 0;      ///< where it is stored; 0: given to the host
};

/// A received message left the SIM: erased, whatever the modem answered.
struct ErasureEntry {
    std::string_view iccid;  ///< of the SIM
    std::string_view pdu;    ///< octets, service centre field first
    std::uint64_t id = 0;    ///< of the inbound message
    std::size_t place = 0;   ///< that is free now
};

class Journal {
public:
    Journal() = default;
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    virtual ~Journal() = default;

    virtual void submit(SteadyTime at, unsigned modem, const SubmitEntry& entry) = 0;
    virtual void refused(SteadyTime at, unsigned modem, int cms_code) = 0;
    virtual void delivery(SteadyTime at, unsigned modem, const DeliveryEntry& entry) = 0;
    /// The host is given it, and has not acknowledged it yet: it may know of it, and may be given it again. `how` is "given".
    virtual void given(SteadyTime /*at*/, unsigned /*modem*/, const DeliveryEntry& /*entry*/) {}
    virtual void erased(SteadyTime /*at*/, unsigned /*modem*/, const ErasureEntry& /*entry*/) {}
    /// The answer that says so of what was erased or acknowledged last left whole, so the host can know it.
    virtual void confirmed(SteadyTime /*at*/, unsigned /*modem*/) {}
    virtual void fault(SteadyTime at, unsigned modem, std::string_view name) = 0;
};

}  // namespace smsrack::modem_sim

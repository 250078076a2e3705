/// One GSM modem as its line sees it. drivers/gsm implements it; tests/support has a scripted
/// one.
///
/// Threads: all calls on the line's thread; the Waiter's wake() and the Dialogue from any.
/// Time:    step() never waits. Everything that comes of it is read with next_event().
/// Errors:  faults are events, not results: a modem can always be talked to and says what it is.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/interface.hpp"
#include "src/base/members.hpp"
#include "src/base/waiter.hpp"
#include "src/ports/dialogue.hpp"
#include "src/ports/fallback.hpp"
#include "src/ports/hand_order.hpp"
#include "src/ports/incident.hpp"
#include "src/ports/line_life.hpp"
#include "src/ports/pin.hpp"
#include "src/sms/inbound.hpp"
#include "src/sms/outcome.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace smsrack::ports {

struct ModemIdentity {
    std::string imei = {};
    std::string imsi = {};
    std::string iccid = {};
    std::string number = {};         ///< own number (AT+CNUM), may be empty
    std::string operator_name = {};  ///< as AT+COPS? says, may be empty
    std::string model = {};
    std::string revision = {};
    SMSRACK_MEMBERS_NAMED("imei, imsi, iccid, number, operator, model, revision", imei, imsi, iccid,
                          number, operator_name, model, revision);
};

/// 3GPP TS 27.007 7.2 <stat>.
enum class Registration : std::uint8_t {
    not_registered = 0,
    home = 1,
    searching = 2,
    denied = 3,
    unknown = 4,
    roaming = 5,
};

/// How the line begins with the port.
struct OpenMode {
    /// An attempt of an earlier process is open on this line: the port is first read, without
    /// flushing or writing, until 100 ms of silence, then ESC and AT as the evidence rule says.
    /// EarlierAttempt follows.
    bool attempt_open = false;
};

/// The modem is set up: the PDUs that it gives from here on are of this SIM. Comes before ModemReady, and again after
/// every loss.
struct ModemIdentified {
    ModemIdentity identity;
};

/// The modem is identified, set up and registered: it may send. Comes again after every loss.
struct ModemReady {
    ModemIdentity identity;
};

/// It can't send now; `reason` is one word for a table ("no_port", "port_busy", "no_answer",
/// "sim_pin", "sim_absent", "registering", "rebooted", "denied", "out_of_service"), `detail` the
/// sentence for the operator.
struct ModemNotReady {
    std::string reason;
    std::string detail;
};

/// Its radio is off, as keep_radio_off() wanted: it neither sends nor hears.
struct ModemAsleep {};

/// Below it a submit often fails at the air.
/// Unit:    dBm.
inline constexpr int weak_signal_dbm = -105;

/// Signal and registration as last heard; for the table of lines.
struct ModemVitals {
    std::optional<int> signal_dbm = {};
    Registration registration = Registration::unknown;
    std::string operator_name = {};
};

/// The end of the submit begun with begin_submit(). Exactly one each.
struct SubmitDone {
    SubmitOutcome outcome;
    bool pdu_sent = false;  ///< the PDU had been given to the port
};

/// A +CMGS or +CMS ERROR that came after its submit was given up as unknown: the last one of this
/// process, or before its first the one that an earlier process left open.
struct LateAnswer {
    SubmitOutcome outcome;
};

/// What the port reported about the attempt that an earlier process left open
/// (OpenMode::attempt_open). accepted, refused: its late answer was found. not_sent: proof that the
/// half-entered PDU was dropped. unknown: neither.
struct EarlierAttempt {
    SubmitOutcome outcome;
};

/// One received PDU, as the modem gave it. It stays in the modem (or unacknowledged) until
/// acknowledge(token).
struct ReceivedPdu {
    std::uint32_t token = 0;
    bool status_report = false;  ///< by the way it came; TP-MTI decides in the end
    std::string pdu;             ///< octets with the service centre field
    /// nullopt: the modem has confirmed it by itself, and holds it no longer.
    std::optional<HeldPlace> held_at = {};
    std::optional<SteadyTime> noted_at = {};  ///< it lay there then already; nullopt: not known
};

/// The modem holds nothing at this place any more: what was read from there is erased or confirmed.
/// Comes before the next ReceivedPdu of the same place.
struct PduErased {
    HeldPlace place;
};

/// All places of one memory that hold something, by the first whole list after the set-up: a run before
/// this one may have erased others without telling.
struct PlacesListed {
    HeldIn memory = HeldIn::sim;
    std::vector<std::uint16_t> indexes = {};
};

/// An incident of the modem, or a measure that was tried.
struct ModemIncident {
    Incident kind = Incident::drained;
};

/// The end of the order begun with begin_order(). Exactly one each.
struct HandEnded {
    Result<HandAnswer> answer;
};

/// The SIM wants its PIN, one is configured and enough attempts are left: may it be entered?
/// enter_pin() answers.
struct PinWanted {
    PinTry pin;
};

/// What the SIM said to it.
struct PinTried {
    PinTry pin;
    bool taken = false;
};

/// Places for messages on the SIM; reported when their number changes.
struct SimStorage {
    int used = 0;
    int total = 0;
};

/// What the modem works without; reported when it changes, while it may send.
struct ModemFallbacks {
    Fallbacks fallbacks;
};

/// What modem, SIM and network answered after a submit was refused without a reason; lines for an
/// administrator.
struct Diagnosis {
    std::string text;
};

using ModemEvent =
    std::variant<ModemIdentified, ModemReady, ModemNotReady, ModemAsleep, ModemVitals, SubmitDone,
                 LateAnswer, EarlierAttempt, ReceivedPdu, PduErased, PlacesListed, ModemIncident,
                 HandEnded, PinWanted, PinTried, SimStorage, ModemFallbacks, Diagnosis>;

class Modem : public Interface {
public:
    /// Begins with the port: open, identify, set up, register; retries by itself with growing
    /// pauses.
    virtual void open(OpenMode mode) = 0;

    /// Reads, writes, runs the timers. Returns the next deadline.
    virtual SteadyTime step(SteadyTime now) = 0;

    /// What happened, oldest first; nullopt when all was reported.
    [[nodiscard]] virtual std::optional<ModemEvent> next_event() = 0;

    /// Where it is now; never `cooling`, which is not the modem's to say.
    [[nodiscard]] virtual LineLife life() const = 0;

    /// The port may have come back: if it is not open, it is tried at once.
    virtual void port_changed() = 0;

    /// The answer to PinWanted; one to an older question changes nothing.
    virtual void enter_pin(const PinTry& pin, PinVerdict verdict) = 0;

    /// Before begin_submit(): do more submits wait behind it?
    virtual void expect_more(bool more) = 0;

    /// True when begin_submit() may be called: ready, and no submit in flight.
    [[nodiscard]] virtual bool can_submit() const = 0;

    /// What came in goes before the next submit, which had better not begin yet: it may say STOP. True for a
    /// bounded number of PDUs after each submit, and until they are stored.
    [[nodiscard]] virtual bool reads_first() const = 0;

    /// Sends AT+CMGS=<length> as soon as the port is free. `pdu`: octets with the service centre
    /// field. The PDU itself waits for the prompt and for release_pdu(). Ends with SubmitDone.
    virtual void begin_submit(std::string pdu) = 0;

    /// The PDU can do no more without release_pdu() or withhold_pdu(). True also where that is not known.
    [[nodiscard]] virtual bool waits_for_release() const { return true; }

    /// The attempt is on disk: the PDU may leave.
    virtual void release_pdu() = 0;

    /// The attempt could not be written: ESC instead of the PDU; SubmitDone{not_sent} follows.
    virtual void withhold_pdu() = 0;

    /// The PDU with this token is durable here: delete it from the modem, or acknowledge it to the
    /// network.
    virtual void acknowledge(std::uint32_t token) = 0;

    /// While true no further PDU is read from the modem: the SIM and the service centre hold the
    /// rest.
    virtual void pause_reading(bool paused) = 0;

    /// An operator's order, when no submit and no other order is in flight. Until it ends
    /// can_submit() is false. Ends with HandEnded.
    virtual void begin_order(HandOrder order) = 0;

    /// Switches the radio off as soon as nothing is in flight and all that came in is durable here.
    /// Called while the modem is ready; holds until it is ready the next time. ModemAsleep follows,
    /// or ModemReady if the modem refuses. False: no longer; the modem is set up again.
    virtual void keep_radio_off(bool off) = 0;

    /// While true it begins nothing, but a submit that was begun continues: another process is
    /// about to adopt the modem as it is. What comes in is still read.
    virtual void hold(bool held) = 0;

    /// Nothing is in flight, or only a submit whose PDU has left, which another process can resume.
    [[nodiscard]] virtual bool is_settled() const = 0;

    /// What was said last; as long as the modem.
    [[nodiscard]] virtual const Dialogue& dialogue() const = 0;

    /// What the line's thread sleeps on: data on the port, a wake-up, or a deadline.
    [[nodiscard]] virtual Waiter& waiter() = 0;
};

}  // namespace smsrack::ports

#include "drivers/gsm/init_script.hpp"

#include "drivers/gsm/facts.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <array>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;
using at::Ends;
using at::Need;
using at::Takes;
using Step = InitStep;

// What touches the SIM may take long while it starts.
constexpr auto sim = 10s;
// What writes the modem's own memory.
constexpr auto flash = 10s;

// A text that ends with = is completed by who runs the script: a PIN, a mask, what the modem can do.
constexpr std::array rows{
    InitRow{{Step::probe, {.text = "AT", .timeout = 1s}}},
    InitRow{{Step::echo_off, {.text = "ATE0"}}},
    InitRow{{Step::numeric_errors, {.text = "AT+CMEE=1"}, Need::optional}},
    InitRow{{Step::mark,
             {.text = "AT+CREG?", .prefix = "+CREG:", .is_answer = is_creg_answer},
             Need::optional}},
    InitRow{{Step::functionality, {.text = "AT+CFUN?", .prefix = "+CFUN:"}, Need::optional}},
    InitRow{{Step::restart, {.text = "AT+CFUN=1", .timeout = sim}, Need::optional}, true},
    InitRow{{Step::events, {.text = "AT+WIND?", .prefix = "+WIND:"}, Need::optional}},
    InitRow{{Step::events_on, {.text = "AT+WIND="}, Need::optional}, true},
    InitRow{{Step::events_on_older, {.text = "AT+WIND="}, Need::optional}, true},
    InitRow{{Step::imei, {.text = "AT+CGSN", .takes = Takes::text}}},
    InitRow{{Step::model, {.text = "AT+CGMM", .takes = Takes::text}, Need::optional}},
    InitRow{{Step::revision, {.text = "AT+CGMR", .takes = Takes::text}, Need::optional}},
    InitRow{
        {Step::pin_state,
         {.text = "AT+CPIN?", .prefix = "+CPIN:", .timeout = sim, .ends = Ends::at_silence_too}}},
    InitRow{
        {Step::pin_card, {.text = "AT+CCID", .prefix = "+CCID:", .timeout = sim}, Need::optional},
        true},
    InitRow{{Step::pin_attempts,
             {.text = "AT+CPINC", .prefix = "+CPINC:", .timeout = sim},
             Need::optional},
            true},
    InitRow{{Step::pin_enter, {.text = "AT+CPIN=", .timeout = sim}, Need::optional}, true},
    InitRow{{Step::imsi, {.text = "AT+CIMI", .timeout = sim, .takes = Takes::text}}},
    InitRow{{Step::iccid, {.text = "AT+CCID", .prefix = "+CCID:", .timeout = sim}, Need::optional}},
    InitRow{{Step::own_number,
             {.text = "AT+CNUM", .prefix = "+CNUM:", .timeout = sim},
             Need::optional}},
    InitRow{{Step::pdu_mode, {.text = "AT+CMGF=0"}}},
    InitRow{
        {Step::centre, {.text = "AT+CSCA?", .prefix = "+CSCA:", .timeout = sim}, Need::optional}},
    InitRow{{Step::centre_set, {.text = "AT+CSCA=", .timeout = sim}, Need::optional}, true},
    InitRow{{Step::booted_service, {.text = "AT+CSMS?", .prefix = "+CSMS:"}, Need::optional}},
    InitRow{{Step::booted_notify, {.text = "AT+CNMI?", .prefix = "+CNMI:"}, Need::optional}},
    InitRow{{Step::phase_2_plus, {.text = "AT+CSMS=1", .prefix = "+CSMS:"}}},
    InitRow{{Step::phase_2, {.text = "AT+CSMS=0", .prefix = "+CSMS:"}, Need::optional}, true},
    InitRow{{Step::memory_sr,
             {.text = "AT+CPMS=\"SR\"", .prefix = "+CPMS:", .timeout = sim},
             Need::optional}},
    InitRow{{Step::memory_sm, {.text = "AT+CPMS=\"SM\"", .prefix = "+CPMS:", .timeout = sim}}},
    InitRow{{Step::notify, {.text = "AT+CNMI="}}},
    InitRow{{Step::keep_general, {.text = "AT&W", .timeout = flash}, Need::optional}},
    InitRow{{Step::keep_sms, {.text = "AT+CSAS", .timeout = flash}, Need::optional}, true},
    InitRow{{Step::operator_names, {.text = "AT+COPS=3,0"}, Need::optional}},
    InitRow{{Step::registration_urc, {.text = "AT+CREG=1"}}},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (static_cast<std::size_t>(rows[i].id) != i) {
            return false;
        }
    }
    return true;
}
static_assert(in_order(), "the rows are in the order of InitStep, so that a step is an index");

constexpr const InitRow* following(std::size_t index) {
    while (++index < rows.size()) {
        if (!rows[index].detour) {
            return &rows[index];
        }
    }
    return nullptr;
}

constexpr bool stray_ok_is_told() {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].command.ends == Ends::at_silence_too &&
            !has_information(following(i)->command)) {
            return false;
        }
    }
    return true;
}
static_assert(stray_ok_is_told(), "after a command without OK comes one with an information line");

}  // namespace

std::span<const InitRow> init_script() {
    return rows;
}

const InitRow* next_row(InitStep step) {
    return following(static_cast<std::size_t>(step));
}

const InitRow& row_of(InitStep step) {
    return rows.at(static_cast<std::size_t>(step));
}

}  // namespace smsrack::gsm

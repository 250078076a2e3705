#include "src/smpp/refusal.hpp"

#include <doctest/doctest.h>

#include <utility>

using namespace smsrack;
using namespace smsrack::smpp;

TEST_CASE("refusal: an ESME sees why the service refused its message") {
    struct Row {
        Errc code;
        std::string_view name;
    };
    for (const Row& row : {
             Row{Errc::overloaded, "ESME_RTHROTTLED"},
             Row{Errc::queue_full, "ESME_RMSGQFUL"},
             Row{Errc::quota_exhausted, "ESME_RTHROTTLED"},
             Row{Errc::too_long, "ESME_RINVMSGLEN"},
             Row{Errc::payload_too_large, "ESME_RINVMSGLEN"},
             Row{Errc::bad_number, "ESME_RINVDSTADR"},
             Row{Errc::bad_sender, "ESME_RINVSRCADR"},
             Row{Errc::bad_request, "ESME_RSUBMITFAIL"},
             Row{Errc::bad_encoding, "ESME_RSUBMITFAIL"},
             Row{Errc::forbidden, "ESME_RSUBMITFAIL"},
             Row{Errc::duplicate, "ESME_RSUBMITFAIL"},
             Row{Errc::storage, "ESME_RSYSERR"},
             Row{Errc::internal, "ESME_RSYSERR"},
         }) {
        CAPTURE(errc_name(row.code));
        CHECK(status_name(status_of_refusal(row.code)) == row.name);
    }
}

TEST_CASE("refusal: none looks like success") {
    for (auto code = 0; code <= std::to_underlying(Errc::internal); ++code) {
        CAPTURE(code);
        CHECK(status_of_refusal(static_cast<Errc>(code)) != Status::ok);
    }
}

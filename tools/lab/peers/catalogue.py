"""The gateways that are compared, in the order of the table."""

from .gammu import Gammu, GammuTuned
from .kannel import Kannel, KannelTuned
from .smsrack import Smsrack
from .smstools import Smstools, SmstoolsTuned

GATEWAYS = {gateway.name: gateway for gateway in (Smsrack, Smstools, SmstoolsTuned, Gammu, GammuTuned, Kannel, KannelTuned)}

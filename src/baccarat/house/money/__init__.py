"""Money: the ledger, wallets, cash, bonus money and corrections."""
